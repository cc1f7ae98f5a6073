// The dead letters: listed, chosen, replayed, purged.

import * as actions from "./actions.js";
import * as address from "./address.js";
import { byId, el, replace, stranger } from "./elements.js";
import { get } from "./server.js";
import { plural, whole } from "./words.js";

const place = byId("letters");
const chosen = new Set();
let shown = null;

export const links = () => [...place.querySelectorAll("a[data-id]")];

export async function refresh() {
  const { data } = await get("/api/v1/dead-letters?limit=100");
  const now = JSON.stringify([data, actions.whyNot()]);
  if (now === shown) return;
  shown = now;
  draw(data);
}

export function drawAgain() {
  shown = null;
}

function draw({ letters, total, complete }) {
  const there = new Set(letters.map(({ id }) => id));
  for (const id of chosen) if (!there.has(id)) chosen.delete(id);
  if (!letters.length) return replace(place, el("p", { class: "empty" }, "No dead letters: every event was judged."));
  const focused = document.activeElement?.closest?.("[data-letter]")?.dataset.letter;
  const bar = el("p", { class: "actions" });
  const all = el("input", { type: "checkbox", onchange: () => choose(letters.map(({ id }) => id), all.checked) });
  replace(place, el("div", { class: "bar" }, el("label", { class: "tick" }, all, " all shown"), bar),
    el("ul", { class: "letters" }, letters.map((letter) => line(letter, upkeep))),
    complete ? null : el("p", { class: "scope" }, `the newest ${whole(letters.length)} of ${plural(total, "dead letter")}`));
  upkeep();
  if (focused) place.querySelector(`[data-letter="${CSS.escape(focused)}"] a`)?.focus();

  function choose(ids, on) {
    for (const id of ids) on ? chosen.add(id) : chosen.delete(id);
    for (const box of place.querySelectorAll(".letters input")) box.checked = chosen.has(box.value);
    upkeep();
  }

  function upkeep() {
    all.checked = chosen.size === letters.length;
    all.indeterminate = chosen.size > 0 && !all.checked;
    replace(bar, el("span", { class: "dim" }, chosen.size ? `${whole(chosen.size)} chosen` : "none chosen"), ...actions.buttons([...chosen]));
  }
}

function line(letter, upkeep) {
  const { id, event_id: event, reason, deliveries, failed_at: failed } = letter;
  const box = el("input", { type: "checkbox", value: id, checked: chosen.has(id), "aria-label": `choose ${event ?? id}`, onchange: () => {
    box.checked ? chosen.add(id) : chosen.delete(id);
    upkeep();
  } });
  return el("li", { "data-letter": id }, box, el("a", { href: address.href({ letter: id }), "data-id": id },
    el("span", { class: "top" }, stranger(event ?? "no event id", { class: event ? "event" : "event dim" }),
      el("span", { class: "dim" }, `${deliveries || "?"} ${deliveries === "1" ? "delivery" : "deliveries"}`), el("time", {}, when(failed))),
    el("span", { class: "bottom" }, stranger(reason, { class: "why" }))));
}

function when(text) {
  const at = Date.parse(text);
  return Number.isNaN(at) ? "" : new Date(at).toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
