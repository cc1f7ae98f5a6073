// What is looked at stands in the address, so that it can be shared, reloaded and gone back to.

const FILTERS = ["agent", "version", "verdict", "text", "partial", "since"];
const listeners = [];

export const read = () => Object.fromEntries(new URLSearchParams(location.search));
export const filters = () => Object.fromEntries(Object.entries(read()).filter(([name, value]) => FILTERS.includes(name) && value));
export const onChange = (listener) => listeners.push(listener);

// The address with some of its parts changed; "" and null take a part away.
export function href(changes) {
  const wanted = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...read(), ...changes })) if (value) wanted.set(name, value);
  const query = wanted.toString();
  return query ? `/?${query}` : "/";
}

// `replacing` is for typing, where each letter would be a step back.
export function go(changes, { replacing = false } = {}) {
  const target = href(changes);
  if (target === location.pathname + location.search) return;
  if (replacing) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  announce();
}

function announce() {
  for (const listener of listeners) listener();
}

addEventListener("popstate", announce);

// Links of this page change the address without leaving it.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.getAttribute("href") === location.pathname + location.search) return;
  history.pushState(null, "", link.getAttribute("href"));
  announce();
});
