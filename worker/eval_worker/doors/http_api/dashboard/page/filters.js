// The row of filters: shows what the address says, and changes it.

import * as address from "./address.js";
import { byId, el, replace } from "./elements.js";

const TYPING_MS = 200;
const form = byId("filters");
let typing = null;

export function start() {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => target.name !== "text" && address.go(changeOf(target)));
  form.elements.text.addEventListener("input", ({ target }) => {
    clearTimeout(typing);
    typing = setTimeout(() => address.go({ text: target.value.trim() }, { replacing: true }), TYPING_MS);
  });
  byId("clear-filters").addEventListener("click", () => address.go(nothing()));
}

export function showAddress() {
  const wanted = address.filters();
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === "checkbox") field.checked = Boolean(wanted.partial);
    else if (field.tagName === "SELECT") choose(field, wanted[field.name] ?? "");
    else if (document.activeElement !== field) field.value = wanted[field.name] ?? "";
  }
  byId("clear-filters").hidden = !Object.keys(wanted).length;
}

// The agents that there are, and the versions of the one that is chosen.
export function showNames(agents) {
  const wanted = address.filters();
  const versions = agents.filter(({ agent }) => !wanted.agent || agent === wanted.agent).flatMap((each) => each.versions);
  offer(form.elements.agent, agents.map(({ agent }) => agent), wanted.agent ?? "");
  offer(form.elements.version, [...new Set(versions)].sort(), wanted.version ?? "");
}

export const isAny = () => Object.keys(address.filters()).length > 0;

const nothing = () => Object.fromEntries(Object.keys(address.filters()).map((name) => [name, ""]));

function changeOf(field) {
  const value = field.type === "checkbox" ? (field.checked ? "true" : "") : field.value;
  return field.name === "agent" ? { agent: value, version: "" } : { [field.name]: value };
}

function offer(select, names, chosen) {
  const wanted = names.join("\n");
  if (select.dataset.names !== wanted && document.activeElement !== select) {
    select.dataset.names = wanted;
    replace(select, el("option", { value: "" }, "any"), names.map((name) => el("option", { value: name }, name)));
  }
  choose(select, chosen);
}

// What the address names may not be among what is offered, as yet or any more.
function choose(select, value) {
  if (![...select.options].some((option) => option.value === value)) select.append(el("option", { value }, value));
  select.value = value;
}
