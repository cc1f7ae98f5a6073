// What the charts share: a cursor that follows the pointer and the arrow keys, and a tip that says what lies under it.

import { el, svg } from "./elements.js";

// `tipOf(index)` gives lines of text; `place(index)` the x of the middle of a step, in the drawing's own units.
export function withTip(drawing, { count, place, width, top, bottom, tipOf }) {
  const tip = el("div", { class: "tip", role: "status", hidden: true });
  const cursor = svg("line", { class: "cursor", y1: top, y2: bottom, visibility: "hidden" });
  drawing.append(cursor);
  drawing.setAttribute("tabindex", "0");
  let at = null;
  const show = (index) => {
    at = Math.min(Math.max(index, 0), count - 1);
    const x = place(at);
    for (const name of ["x1", "x2"]) cursor.setAttribute(name, x);
    cursor.setAttribute("visibility", "visible");
    tip.replaceChildren(...tipOf(at).map((line, number) => el(number ? "p" : "strong", {}, line)));
    tip.hidden = false;
    const share = x / width;
    tip.style.setProperty("left", share < 0.5 ? `${share * 100}%` : "auto");
    tip.style.setProperty("right", share < 0.5 ? "auto" : `${(1 - share) * 100}%`);
  };
  const hide = () => {
    tip.hidden = true;
    cursor.setAttribute("visibility", "hidden");
  };
  drawing.addEventListener("pointermove", (event) => show(nearest(event, drawing, { count, place, width })));
  drawing.addEventListener("pointerleave", hide);
  drawing.addEventListener("focus", () => show(at ?? count - 1));
  drawing.addEventListener("blur", hide);
  drawing.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) {
      event.preventDefault();
      show((at ?? count - 1) + step);
    } else if (event.key === "Escape") hide();
  });
  return el("div", { class: "chart" }, drawing, tip);
}

function nearest(event, drawing, { count, place, width }) {
  const box = drawing.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * width;
  let best = 0;
  for (let index = 1; index < count; index += 1) if (Math.abs(place(index) - x) < Math.abs(place(best) - x)) best = index;
  return best;
}

// A round number that is not below, so that an axis ends with it.
export function roundUp(value) {
  if (value <= 4) return Math.max(Math.ceil(value), 1);
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((round) => round >= value);
}
