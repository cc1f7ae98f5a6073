// Replay and purge: each says what will happen, and asks.

import { byId, el, replace, visible } from "./elements.js";
import { Unreachable, post } from "./server.js";
import { plural } from "./words.js";

const dialog = byId("confirm");
const KINDS = {
  replay: {
    title: (count) => `Replay ${plural(count, "dead letter")}?`,
    words: "Each event goes back to the event stream as a new entry, is judged again, and its dead letter is removed. Judging may cost model calls. One that fails again comes back as a new dead letter.",
    done: ({ replayed }) => `${plural(Object.keys(replayed).length, "event")} sent to the workers again.`,
    danger: false,
  },
  purge: {
    title: (count) => `Purge ${plural(count, "dead letter")}?`,
    words: "They are deleted for good, and the events in them are lost. This can't be undone.",
    done: ({ purged }) => `${plural(purged, "dead letter")} deleted.`,
    danger: true,
  },
};

let readOnly = null;
let onDone = () => {};

export function start(afterwards) {
  onDone = afterwards;
}

export function allow(why) {
  readOnly = why;
}

export const whyNot = () => readOnly;

export function buttons(ids) {
  const off = readOnly !== null || !ids.length;
  return [
    el("button", { type: "button", disabled: off, "data-act": "replay", onclick: () => ask("replay", ids) }, ids.length > 1 ? `Replay ${ids.length}` : "Replay"),
    el("button", { type: "button", class: "danger", disabled: off, "data-act": "purge", onclick: () => ask("purge", ids) }, ids.length > 1 ? `Purge ${ids.length}` : "Purge"),
    readOnly === null ? null : el("span", { class: "dim" }, visible(readOnly)),
  ].filter(Boolean);
}

function ask(name, ids) {
  const kind = KINDS[name];
  const cancel = el("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const sure = el("button", { type: "button", class: kind.danger ? "danger" : "primary", id: "sure", onclick: () => act(name, ids, sure) }, kind.title(ids.length).replace("?", ""));
  replace(dialog, el("h2", { id: "confirm-title" }, kind.title(ids.length)), el("p", {}, kind.words), el("p", { role: "alert", class: "problem" }), el("p", { class: "actions" }, cancel, sure));
  dialog.showModal();
  cancel.focus();
}

async function act(name, ids, button) {
  button.disabled = true;
  try {
    const reply = await post(`/api/v1/dead-letters/${name}`, { ids });
    const refused = (reply.refused ?? []).map(({ id, problem }) => `${id}: ${problem}`);
    dialog.close();
    onDone([KINDS[name].done(reply), ...refused].map(visible).join(" "));
  } catch (error) {
    const unsure = error instanceof Unreachable ? " It may have been done all the same: what is still listed then was not." : "";
    dialog.querySelector(".problem").textContent = visible(error.message) + unsure;
    button.disabled = false;
  }
}
