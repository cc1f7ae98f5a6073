// Figures and moments in words.

const WHOLE = new Intl.NumberFormat("en");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const MINUTES = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DAY_MS = 86_400_000;

export const UNKNOWN = "unknown";

export const whole = (count) => (count === null ? UNKNOWN : WHOLE.format(count));
export const score = (value) => (value === null ? "–" : value.toFixed(2));
export const percent = (part, all) => (all ? `${((100 * part) / all).toFixed(part && part < all ? 1 : 0)}%` : "–");
export const clock = (ms) => (Date.now() - ms > DAY_MS ? `${DAY.format(ms)} ${MINUTES.format(ms)}` : CLOCK.format(ms));
export const moment = (ms) => `${DAY.format(ms)} ${CLOCK.format(ms)}`;
export const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;

// For where there is room for some eight characters only.
export const brief = (count) => (count === null || count < 100_000 ? whole(count) : COMPACT.format(count));

export function dollars(usd) {
  if (usd === null) return UNKNOWN;
  if (usd !== 0 && usd < 0.01) return `$${usd.toPrecision(2)}`;
  if (usd >= 1e15) return `$${usd.toExponential(1)}`; // no sum of money: somebody's result says so
  if (usd >= 10_000) return `$${COMPACT.format(usd)}`;
  return `$${usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

export function duration(seconds) {
  if (seconds === null) return "–";
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

export function tick(ms, stepMs) {
  if (stepMs >= DAY_MS) return DAY.format(ms);
  return stepMs < 60_000 ? CLOCK.format(ms) : MINUTES.format(ms);
}

export function took(nanoseconds) {
  if (nanoseconds >= 1e9) return `${(nanoseconds / 1e9).toFixed(1)} s`;
  if (nanoseconds >= 1e6) return `${(nanoseconds / 1e6).toFixed(0)} ms`;
  return `${(nanoseconds / 1e3).toFixed(0)} µs`;
}
