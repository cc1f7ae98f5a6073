// Figures at a glance.

import { byId, el, replace } from "./elements.js";
import { VERDICTS, shareBar } from "./verdicts.js";
import { UNKNOWN, brief, dollars, duration, percent, plural, score, whole } from "./words.js";

export function show({ figures, backlog }) {
  const { results, verdicts, cost } = figures;
  replace(
    byId("tiles"),
    tile("Results", whole(results), `${whole(figures.last_minute)} in the last minute`),
    shares(verdicts, results),
    tile("Confidence", score(figures.mean_confidence), "mean, from 0 to 1"),
    tile("Early exits", percent(figures.early_exits, results), `${whole(figures.early_exits)} before any judge`),
    tile("Partial", percent(figures.partial, results - verdicts.skipped), `${whole(figures.partial)} with a failed judge`, figures.partial > 0),
    tile("Cost", costOf(cost), costNote(cost, results)),
    ...waiting(backlog),
  );
}

function tile(name, figure, note, warn = false) {
  return el("div", { class: warn ? "tile warn" : "tile" }, el("h3", {}, name), el("p", { class: "figure" }, figure), el("p", { class: "note" }, note));
}

function shares(verdicts, results) {
  const shown = VERDICTS.filter((verdict) => verdict !== "skipped" || verdicts.skipped);
  return el("div", { class: "tile broad" }, el("h3", {}, "Verdicts"), shareBar(verdicts, 300, 14),
    el("p", { class: "parts" }, shown.map((verdict) => el("span", { class: `part ${verdict}` },
      `${verdict} ${percent(verdicts[verdict], results)}`))));
}

function costOf(cost) {
  if (!cost.llm_calls) return "$0";
  return cost.known_usd === null ? UNKNOWN : dollars(cost.known_usd);
}

function costNote(cost, results) {
  if (!cost.llm_calls) return "no paid call was made";
  const each = cost.known_usd === null || !results || cost.unknown ? null : `${dollars((1000 * cost.known_usd) / results)} for 1,000`;
  const unknown = cost.unknown ? `unknown for ${plural(cost.unknown, "result")}` : null;
  return [each, unknown].filter(Boolean).join(", ") || plural(cost.llm_calls, "call");
}

function waiting(backlog) {
  if (!backlog) return [];
  const { lag, pending, oldest_pending_seconds: oldest, consumers, dead_letters: letters } = backlog;
  const idle = !consumers.length;
  return [
    tile("Waiting", brief(lag), "not read yet"),
    tile("Pending", brief(pending), pending ? `the oldest for ${duration(oldest)}` : "being judged now"),
    tile("Workers", whole(consumers.length), idle ? "none: eval-worker run" : `last seen ${duration(Math.min(...consumers.map((each) => each.idle_seconds)))} ago`, idle),
    tile("Dead letters", brief(letters), letters ? "could not be judged" : "none", letters > 0),
  ];
}
