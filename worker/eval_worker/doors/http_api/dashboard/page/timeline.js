// Two charts on one axis of time: how many results of each verdict, and their mean confidence.

import { roundUp, withTip } from "./chart.js";
import { byId, el, replace, svg } from "./elements.js";
import { VERDICTS, legend, paint } from "./verdicts.js";
import { duration, moment, score, tick, whole } from "./words.js";

const LEFT = 44, RIGHT = 10, COUNT_TOP = 18, COUNT_BOTTOM = 148, MEAN_TOP = 182, MEAN_BOTTOM = 252, HEIGHT = 274, WIDEST = 60;
const place = byId("timeline");
let shown = null;

export function show({ figures }) {
  shown = figures;
  draw();
}

// Drawn as wide as there is room, so that words keep their size.
new ResizeObserver(() => shown && draw()).observe(place);

function draw() {
  const { timeline } = shown;
  if (!shown.results) return replace(place, el("p", { class: "empty" }, "Nothing to draw yet."));
  const width = Math.max(place.clientWidth, 260);
  if (place.querySelector("svg:focus")) return; // somebody reads it
  const count = timeline.mean_confidence.length;
  const step = (width - LEFT - RIGHT) / count;
  const middle = (index) => LEFT + step * (index + 0.5);
  const totals = timeline.mean_confidence.map((_, index) => total(timeline, index));
  const most = roundUp(Math.max(...totals));
  const drawing = svg("svg", { class: "drawing", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "group", "aria-label": spoken(timeline) },
    axis(width, COUNT_TOP, COUNT_BOTTOM, [0, most / 2, most].filter(Number.isInteger), most, whole),
    svg("text", { class: "unit", x: 0, y: 11 }, `results each ${duration(timeline.width_ms / 1000)}`),
    bars(timeline, step, most),
    axis(width, MEAN_TOP, MEAN_BOTTOM, [0, 0.5, 1], 1, (value) => value.toFixed(1)),
    svg("text", { class: "unit", x: 0, y: MEAN_TOP - 8 }, "mean confidence"),
    means(timeline, middle),
    times(timeline, count, step, width),
  );
  replace(place, legend(shown.verdicts), withTip(drawing, { count, place: middle, width, top: COUNT_TOP, bottom: MEAN_BOTTOM, tipOf: (index) => tipOf(timeline, index) }));
}

const total = (timeline, index) => VERDICTS.reduce((sum, verdict) => sum + timeline.verdicts[verdict][index], 0);

function axis(width, top, bottom, values, most, words) {
  return svg("g", { class: "axis", "aria-hidden": "true" }, values.map((value) => {
    const y = bottom - ((bottom - top) * value) / most;
    return [svg("line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y }), svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, words(value))];
  }).flat());
}

function bars(timeline, step, most) {
  const scale = (COUNT_BOTTOM - COUNT_TOP) / most;
  const gap = step > 6 ? 2 : step > 3 ? 1 : 0;
  const wide = Math.min(step - gap, WIDEST);
  return svg("g", {}, timeline.mean_confidence.flatMap((_, index) => {
    let y = COUNT_BOTTOM;
    return VERDICTS.filter((verdict) => timeline.verdicts[verdict][index]).map((verdict) => {
      const height = timeline.verdicts[verdict][index] * scale;
      y -= height;
      return svg("rect", { x: LEFT + step * (index + 0.5) - wide / 2, y, width: wide, height, fill: paint(verdict) });
    });
  }));
}

// A line through neighbours, a dot where a step stands alone: nothing is drawn over steps without a result.
function means(timeline, middle) {
  const y = (mean) => MEAN_BOTTOM - (MEAN_BOTTOM - MEAN_TOP) * mean;
  const known = timeline.mean_confidence.map((mean, index) => (mean === null ? null : [middle(index), y(mean)]));
  const path = known.map((point, index) => (point ? `${known[index - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "")).join("");
  const alone = known.filter((point, index) => point && !known[index - 1] && !known[index + 1]);
  return svg("g", { class: "means" }, svg("path", { d: path || "M0 0" }), alone.map(([cx, cy]) => svg("circle", { cx, cy, r: 2.5 })));
}

function times(timeline, count, step, width) {
  const every = Math.max(Math.ceil(count / Math.max(Math.floor((width - LEFT) / 90), 1)), 1);
  const labels = [];
  for (let index = 0; index < count; index += every) {
    const x = LEFT + step * index;
    if (x > width - 50 && index) break;
    labels.push(svg("line", { x1: x, x2: x, y1: MEAN_BOTTOM, y2: MEAN_BOTTOM + 4 }),
      svg("text", { x, y: HEIGHT - 6 }, tick(timeline.start_ms + index * timeline.width_ms, timeline.width_ms)));
  }
  return svg("g", { class: "axis times", "aria-hidden": "true" }, labels);
}

function tipOf(timeline, index) {
  const counted = VERDICTS.filter((verdict) => timeline.verdicts[verdict][index]).map((verdict) => `${verdict} ${whole(timeline.verdicts[verdict][index])}`);
  return [
    `from ${moment(timeline.start_ms + index * timeline.width_ms)}, ${duration(timeline.width_ms / 1000)}`,
    counted.join(", ") || "no result",
    `mean confidence ${score(timeline.mean_confidence[index])}`,
  ];
}

function spoken(timeline) {
  const from = moment(timeline.start_ms);
  return `Results by verdict and mean confidence over time, from ${from} on. The arrow keys go through the steps.`;
}
