// The four verdicts: each has a sign and a pattern beside its colour.

import { el, svg } from "./elements.js";

export const VERDICTS = ["pass", "review", "fail", "skipped"];
const SIGNS = { pass: "✓", review: "?", fail: "✕", skipped: "–" };

export function badge(verdict) {
  return el("span", { class: `badge ${VERDICTS.includes(verdict) ? verdict : "skipped"}` },
    el("span", { "aria-hidden": "true" }, SIGNS[verdict] ?? ""), ` ${verdict}`);
}

// A bar of shares; the words beside it say the same.
export function shareBar(verdicts, width = 160, height = 12) {
  const total = VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  const words = VERDICTS.filter((verdict) => verdicts[verdict]).map((verdict) => `${verdict} ${verdicts[verdict]}`);
  const bar = svg("svg", { class: "share", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": words.join(", ") || "none" });
  let x = 0;
  for (const verdict of VERDICTS) {
    const part = total ? (width * verdicts[verdict]) / total : 0;
    if (part > 0) bar.append(svg("rect", { x, y: 0, width: part, height, fill: paint(verdict) }));
    x += part;
  }
  return bar;
}

export const paint = (verdict) => `var(--${verdict})`;

export function legend(verdicts) {
  const shown = VERDICTS.filter((verdict) => verdict !== "skipped" || verdicts.skipped);
  return el("ul", { class: "legend" }, shown.map((verdict) => el("li", {},
    el("span", { class: `swatch ${verdict}`, "aria-hidden": "true" }, SIGNS[verdict]), ` ${verdict}`)));
}
