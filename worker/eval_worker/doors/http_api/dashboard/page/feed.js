// The newest results, one line each. Lines that stay are left where they are, and so is who reads them.

import * as address from "./address.js";
import { byId, el, stranger } from "./elements.js";
import { VERDICTS, badge } from "./verdicts.js";
import { clock, moment, plural, score } from "./words.js";

const PAGE = 50;
const MOST = 500;
const list = byId("feed");
const more = byId("more");
const lines = new Map();
let before = null; // the ids that were shown last
let asked = PAGE;

export const limit = () => asked;
export const links = () => [...list.querySelectorAll("a")];

export function start(again) {
  more.addEventListener("click", () => {
    asked = Math.min(asked + 100, MOST);
    again();
  });
}

// Other filters begin at the top, and what they show is no news.
export function beginAnew() {
  asked = PAGE;
  before = null;
}

export function show({ rows, figures, looked_at: lookedAt, loading }, filtered) {
  keepOnly(new Set(rows.map((row) => row.id)));
  let next = list.firstElementChild;
  for (const row of rows) {
    const line = lines.get(row.id) ?? makeLine(row);
    line.firstElementChild.setAttribute("href", address.href({ result: row.id }));
    if (line === next) next = next.nextElementSibling;
    else list.insertBefore(line, next);
  }
  more.hidden = rows.length >= figures.results || rows.length >= MOST;
  announce(rows);
  emptiness(rows, lookedAt, loading, filtered);
}

function keepOnly(wanted) {
  for (const [id, line] of lines) {
    if (wanted.has(id)) continue;
    line.remove();
    lines.delete(id);
  }
}

function makeLine(row) {
  const agent = row.agent === null ? null : el("span", { class: "agent" }, stranger(row.agent), row.version === null ? null : el("span", { class: "dim" }, " ", stranger(row.version)));
  const flags = [row.early_exit ? "early exit" : null, row.partial ? "partial" : null].filter(Boolean);
  const line = el("li", {}, el("a", { "data-id": row.id },
    el("span", { class: "top" }, badge(row.verdict), el("span", { class: "confidence" }, score(row.confidence)),
      stranger(row.event_id, { class: "event" }), flags.map((flag) => el("span", { class: "flag" }, flag)),
      el("time", { datetime: new Date(row.at_ms).toISOString(), title: moment(row.at_ms) }, clock(row.at_ms))),
    el("span", { class: "bottom" }, agent, reason(row)),
  ));
  lines.set(row.id, line);
  return line;
}

function reason({ weakest, verdict }) {
  if (!weakest || verdict === "pass") return null;
  return el("span", { class: "why" }, stranger(weakest.name), ` ${score(weakest.score)}: `, stranger(weakest.reason));
}

// For those who listen: how many came since the last look, by verdict. Where all that is shown is new there may be more;
// what stands below a line that was there before is older, and was asked for.
function announce(rows) {
  const last = before === null ? -1 : rows.findLastIndex((row) => before.has(row.id));
  const fresh = before === null ? [] : rows.slice(0, last < 0 ? rows.length : last).filter((row) => !before.has(row.id));
  if (rows.length) before = new Set(rows.map((row) => row.id));
  if (!fresh.length) return;
  const counted = VERDICTS.map((verdict) => [verdict, fresh.filter((row) => row.verdict === verdict).length]);
  const news = `${plural(fresh.length, "new result")}: ${counted.filter(([, count]) => count).map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`;
  byId("news").textContent = fresh.length < asked ? news : `at least ${news}`;
}

function emptiness(rows, lookedAt, loading, filtered) {
  let words = "";
  if (!rows.length && loading) words = "Reading results…";
  else if (!rows.length && lookedAt && filtered) words = "No result fits these filters: clear some of them.";
  else if (!rows.length) words = "No result yet: start a worker with eval-worker run, and send it an event with eval-producer.";
  list.dataset.empty = words;
}
