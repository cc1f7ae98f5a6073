// Keys for those who have no hand free: j and k, enter, escape, / and ?.

import { byId, el, replace } from "./elements.js";

const KEYS = [
  ["j, k", "next and previous line; in an opened result the next and previous result"],
  ["Enter", "open the line"],
  ["Esc", "close what is open; leave the search"],
  ["/", "search by event id or text"],
  ["← →", "go through a chart that has the focus"],
  ["?", "this help"],
];

export function start({ links, step }) {
  byId("help-button").addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape" && event.target.type === "search") event.target.blur();
      return;
    }
    const open = document.querySelector("dialog[open]");
    const move = { j: 1, k: -1 }[event.key];
    if (move && open?.id === "opened") step(move);
    else if (open) return;
    else if (move) focusNext(links(), move);
    else if (event.key === "/") byId("filters").elements.text.focus();
    else if (event.key === "?") help();
    else return;
    event.preventDefault();
  });
}

function focusNext(links, move) {
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? 0 : Math.min(Math.max(at + move, 0), links.length - 1);
  links[next]?.focus();
}

const isTyping = ({ tagName, type }) => tagName === "SELECT" || tagName === "TEXTAREA" || (tagName === "INPUT" && type !== "checkbox");

function help() {
  const dialog = byId("help");
  if (dialog.open) return;
  replace(dialog, el("h2", { id: "help-title" }, "Keys"), el("dl", { class: "keys" }, KEYS.map(([keys, words]) => el("div", {}, el("dt", {}, el("kbd", {}, keys)), el("dd", {}, words)))),
    el("p", { class: "actions" }, el("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  dialog.showModal();
}
