// A row for each version of each agent; a click looks at that one alone.

import * as address from "./address.js";
import { byId, el, replace, stranger, svg } from "./elements.js";
import { VERDICTS, paint, shareBar } from "./verdicts.js";
import { percent, plural, score, whole } from "./words.js";

const WIDTH = 120, HEIGHT = 26, PAD = 2;

export function show({ figures }) {
  if (!figures.agents.length) return replace(byId("agents"), el("p", { class: "empty" }, "No agent yet."));
  const more = figures.more_agents ? el("p", { class: "scope" }, `and ${whole(figures.more_agents)} with fewer results`) : null;
  replace(byId("agents"), el("table", {}, heading(), el("tbody", {}, figures.agents.map(row))), more);
}

function heading() {
  const names = ["Agent", "Version", "Results", "Verdicts", "Passed", "Conf.", "Verdicts over time", "Conf. over time"];
  return el("thead", {}, el("tr", {}, names.map((name, index) => el("th", { scope: "col", class: [2, 4, 5].includes(index) ? "number" : null }, name))));
}

function row(figures) {
  const { agent, version, results, verdicts, timeline } = figures;
  const name = agent === null ? el("span", { class: "dim" }, "no name")
    : el("a", { href: address.href({ agent, version: version ?? "" }), title: "Look at this one alone" }, stranger(agent));
  return el("tr", {},
    el("th", { scope: "row" }, name),
    el("td", {}, version === null ? el("span", { class: "dim" }, "none") : stranger(version)),
    el("td", { class: "number" }, whole(results)),
    el("td", {}, shareBar(verdicts, 110)),
    el("td", { class: "number" }, percent(verdicts.pass, results)),
    el("td", { class: "number" }, score(figures.mean_confidence)),
    el("td", {}, shares(timeline)),
    el("td", {}, line(timeline, figures.mean_confidence)),
  );
}

// Each step's verdicts as shares of that step; steps without a result stay empty.
function shares(timeline) {
  const count = timeline.mean_confidence.length;
  const step = WIDTH / count;
  const drawing = small(`Share of each verdict in ${plural(count, "step")} of time`);
  for (let index = 0; index < count; index += 1) {
    const total = VERDICTS.reduce((sum, verdict) => sum + timeline.verdicts[verdict][index], 0);
    let y = HEIGHT;
    for (const verdict of VERDICTS) {
      const height = total ? (HEIGHT * timeline.verdicts[verdict][index]) / total : 0;
      y -= height;
      if (height) drawing.append(svg("rect", { x: index * step, y, width: step, height, fill: paint(verdict) }));
    }
  }
  return drawing;
}

function line(timeline, mean) {
  const means = timeline.mean_confidence;
  const step = WIDTH / means.length;
  const at = (value, index) => `${((index + 0.5) * step).toFixed(1)} ${(HEIGHT - PAD - (HEIGHT - 2 * PAD) * value).toFixed(1)}`;
  const path = means.map((value, index) => {
    if (value === null) return "";
    const joined = means[index - 1] !== undefined && means[index - 1] !== null;
    return joined ? `L${at(value, index)}` : `M${at(value, index)}h0.01`;
  }).join("");
  return svgWith(small(`Mean confidence over time, from 0 to 1; ${score(mean)} in all`),
    svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg("path", { class: "means", d: path || "M0 0" }));
}

const small = (label) => svg("svg", { class: "small", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });

function svgWith(drawing, ...parts) {
  drawing.append(...parts);
  return drawing;
}
