// How each stage's scores are distributed: ten bars from 0 to 1, the mean, and how many judges failed.

import { withTip } from "./chart.js";
import { byId, el, replace, stranger, svg } from "./elements.js";
import { score, whole } from "./words.js";

const WIDTH = 200, TOP = 14, BOTTOM = 74, HEIGHT = 94, LEFT = 4;
const STEP = (WIDTH - 2 * LEFT) / 10;

export function show({ figures }) {
  if (document.querySelector("#judges svg:focus")) return; // somebody reads it
  if (!figures.stages.length) return replace(byId("judges"), el("p", { class: "empty" }, "No stage yet."));
  replace(byId("judges"), figures.stages.map(histogram));
}

function histogram(stage) {
  const { bins, scored, unscored, mean } = stage;
  const most = Math.max(...bins, 1);
  const middle = (index) => LEFT + STEP * (index + 0.5);
  const drawing = svg("svg", { class: "drawing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group",
    "aria-label": `${stage.name}: ${scored} scores, mean ${score(mean)}. The arrow keys go through the tenths.` },
    svg("text", { class: "unit", x: LEFT, y: 10 }, `up to ${whole(most)} each`),
    svg("line", { class: "base", x1: LEFT, x2: WIDTH - LEFT, y1: BOTTOM, y2: BOTTOM }),
    bins.map((count, index) => svg("rect", { class: "bin", x: LEFT + STEP * index + 1, width: STEP - 2, y: BOTTOM - ((BOTTOM - TOP) * count) / most, height: ((BOTTOM - TOP) * count) / most })),
    mean === null ? null : svg("path", { class: "mean", d: marker(LEFT + (WIDTH - 2 * LEFT) * mean) }),
    [0, 0.5, 1].map((value) => svg("text", { class: "unit", x: LEFT + (WIDTH - 2 * LEFT) * value, y: HEIGHT - 2, "text-anchor": ["start", "middle", "end"][value * 2] }, String(value))),
  );
  const tipOf = (index) => [`${(index / 10).toFixed(1)} to ${((index + 1) / 10).toFixed(1)}`, `${whole(bins[index])} of ${whole(scored)}`];
  return el("figure", {}, el("figcaption", {}, stranger(stage.name), el("span", { class: "mean-words" }, `mean ${score(mean)}`)),
    withTip(drawing, { count: 10, place: middle, width: WIDTH, top: TOP, bottom: BOTTOM, tipOf }),
    unscored ? el("p", { class: "unscored" }, `${whole(unscored)} failed, unscored`) : null);
}

const marker = (x) => `M${x.toFixed(1)} ${BOTTOM + 1}l4 7h-8z`;
