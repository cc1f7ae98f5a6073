// One result or dead letter in full, in a dialog; which one stands in the address.

import * as address from "./address.js";
import { byId, el, replace, stranger, visible } from "./elements.js";
import { get } from "./server.js";
import { badge } from "./verdicts.js";
import { dollars, moment, plural, score, took, whole } from "./words.js";

const LONG = 20_000;
const KINDS = { result: ["/api/v1/results/", result], letter: ["/api/v1/dead-letters/", letter] };
const dialog = byId("opened");
let current = null;
let actions = () => [];

export function start(actionsFor) {
  actions = actionsFor;
  dialog.addEventListener("close", () => current && address.go({ result: "", letter: "" }));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
}

// To show it anew where it could not be shown before.
export function forget() {
  if (current) current = "";
}

export async function showAddress() {
  const wanted = address.read();
  const kind = wanted.result ? "result" : wanted.letter ? "letter" : null;
  const next = kind && `${kind} ${wanted[kind]}`;
  if (next === current) return;
  current = next;
  if (!kind) return dialog.close();
  fill("Loading…", []);
  if (!dialog.open) dialog.showModal();
  try {
    const [path, show] = KINDS[kind];
    const { data } = await get(path + encodeURIComponent(wanted[kind]));
    if (current === next) show(data, wanted[kind]);
  } catch (error) {
    if (current === next) fill("It can't be shown", [el("p", {}, visible(error.message))]);
  }
}

function fill(title, parts, ...beside) {
  replace(dialog,
    el("header", {}, el("h2", { id: "opened-title", tabindex: "-1" }, title), ...beside,
      el("button", { type: "button", class: "close", onclick: () => dialog.close(), "aria-label": "Close" }, "Close")),
    el("div", { class: "body" }, parts));
  byId("opened-title").focus();
}

function result(data) {
  fill(stranger(data.id), [
    facts(data),
    el("div", { class: "halves" },
      el("section", { "aria-labelledby": "stages-title" }, el("h3", { id: "stages-title" }, "Stages"), stages(data.stages)),
      el("section", { "aria-labelledby": "texts-title" }, el("h3", { id: "texts-title" }, "What was judged"), texts(data))),
  ], badge(data.verdict), el("span", { class: "confidence", title: "confidence" }, score(data.confidence)));
}

function facts({ agent, event_type: kind, evaluated_at: at, model, usage, worker, attempt, early_exit: early, partial, source_id: source }) {
  const cost = usage.llm_calls ? `${plural(usage.llm_calls, "call")}, ${whole(usage.input_tokens)} + ${whole(usage.output_tokens)} tokens, ${dollars(usage.cost_usd)}` : "no paid call";
  return pairs([
    ["Agent", agent && [agent.name, agent.version, agent.type].filter(Boolean).map((part, index) => [index ? " · " : "", stranger(part)]).flat()],
    ["Judged", moment(Date.parse(at))],
    ["How", [early ? "early exit: no judge was asked" : null, partial ? "partial: a judge failed" : null].filter(Boolean).join("; ") || "all stages"],
    ["Model", stranger(model)],
    ["Cost", cost],
    ["Worker", worker && [stranger(worker), attempt > 1 ? `, attempt ${attempt}` : ""]],
    ["Event", [stranger(kind), source ? [", ", stranger(source)] : ""].flat()],
  ]);
}

const pairs = (rows) => el("dl", { class: "facts" }, rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));

function stages(all) {
  return el("ol", { class: "stages" }, all.slice(0, 200).map((stage) => el("li", { class: stage.status },
    el("div", { class: "stage" }, stranger(stage.name, { class: "name" }), meter(stage), el("span", { class: "number" }, score(stage.score))),
    el("p", {}, stage.status === "ok" ? null : el("strong", {}, `${stage.status.replace("_", " ")}: `), stranger(stage.reason)),
    el("p", { class: "dim" }, [took(stage.duration_ns), stage.cached ? "judged before, no call" : null].filter(Boolean).join(", ")),
  )), all.length > 200 ? el("li", {}, `and ${whole(all.length - 200)} more`) : null);
}

function meter(stage) {
  const bar = el("span", { class: "meter", "aria-hidden": "true" }, el("span"));
  bar.firstElementChild.style.setProperty("width", `${100 * (stage.score ?? 0)}%`);
  return bar;
}

function texts({ interaction, agentic }) {
  if (agentic) return [el("p", {}, "Whole conversations, whose texts are not kept in results."), long(JSON.stringify(agentic.aggregated_metrics ?? agentic, null, 2))];
  if (!interaction) return el("p", { class: "not-kept" }, "Not kept: set RESULTS_INCLUDE_INTERACTION=true on the workers to have query, context and answer in results to come.");
  const parts = [["Query", interaction.user_query], ["Context", interaction.context], ["Answer", interaction.answer]];
  return parts.map(([name, text]) => [el("h4", {}, name), text ? long(text) : el("p", { class: "dim" }, "empty")]).flat();
}

// A megabyte takes a browser a while: its beginning first, the rest if somebody wants it.
function long(text) {
  const block = el("pre", { dir: "auto", tabindex: "0" }, visible(text.slice(0, LONG)));
  if (text.length <= LONG) return block;
  const all = el("button", { type: "button", onclick: () => { block.textContent = visible(text); all.remove(); } }, `Show all ${whole(text.length)} characters`);
  return el("div", {}, block, all);
}

function letter(data, id) {
  fill(data.event_id === null ? "Dead letter" : stranger(data.event_id), [
    pairs([["Reason", stranger(data.reason)], ["Failed", stranger(data.failed_at)], ["Deliveries", stranger(data.deliveries)], ["Worker", stranger(data.worker)], ["Event entry", stranger(data.source_id)], ["Dead letter", id]]),
    el("p", { class: "actions" }, actions([id])),
    el("h3", {}, "The event as it came"),
    data.payload ? long(data.payload) : el("p", { class: "dim" }, "empty"),
    data.cut ? el("p", { class: "dim" }, "It is longer: eval-worker dead-letters show has all of it.") : null,
  ].filter(Boolean));
}
