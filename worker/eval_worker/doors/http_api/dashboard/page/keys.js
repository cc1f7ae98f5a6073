// Asks for the API key where the server wants one. It is kept for this tab alone.

import { byId, el, replace } from "./elements.js";
import { keep, key } from "./server.js";

const dialog = byId("key-dialog");

export function start(onKey) {
  byId("forget-key").addEventListener("click", () => {
    keep(null);
    location.reload();
  });
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = dialog.querySelector("input").value.trim();
    if (!given) return;
    keep(given);
    dialog.close();
    onKey();
  });
  showWhether();
}

export function showWhether() {
  byId("forget-key").hidden = key() === null;
}

export function ask(problem) {
  if (dialog.open) return;
  const field = el("input", { type: "password", name: "key", autocomplete: "off", required: true });
  replace(dialog, el("h2", { id: "key-title" }, "API key"),
    el("p", {}, problem),
    el("form", {}, el("label", {}, "One of the server's API_KEYS ", field),
      el("p", { class: "dim" }, "It is kept in this tab until it is closed, and sent to this server only."),
      el("p", { class: "actions" }, el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), el("button", { type: "submit", class: "primary" }, "Show the data"))));
  dialog.showModal();
  field.focus();
}
