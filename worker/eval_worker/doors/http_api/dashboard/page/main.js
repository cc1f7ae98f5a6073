// The page: what the address says is asked of the server again and again, and shown.

import * as actions from "./actions.js";
import * as address from "./address.js";
import * as agents from "./agents.js";
import { byId, el, replace, visible } from "./elements.js";
import * as feed from "./feed.js";
import * as filters from "./filters.js";
import * as judges from "./judges.js";
import * as keyboard from "./keyboard.js";
import * as keys from "./keys.js";
import * as letters from "./letters.js";
import * as opened from "./opened.js";
import { Polling } from "./polling.js";
import { Refusal, Unreachable, get } from "./server.js";
import * as tiles from "./tiles.js";
import * as timeline from "./timeline.js";
import { whole } from "./words.js";

const polling = new Polling(look, say);
let tag = null;
let asked = null;
let last = null;
let said = null;

const onLetters = () => address.read().view === "dead-letters";

async function look(isCurrent) {
  const path = `/api/v1/overview?${new URLSearchParams({ ...address.filters(), limit: feed.limit() })}`;
  const reply = await get(path, path === asked ? tag : null);
  if (reply !== null) actions.allow(reply.data.read_only); // before the letters are drawn with what can be done to them
  if (onLetters()) await letters.refresh();
  if (!isCurrent()) return null;
  if (reply !== null) {
    ({ tag } = reply);
    asked = path;
    last = reply.data;
    show(last);
  }
  well(last);
  return last.loading ? "soon" : "later";
}

function show(overview) {
  filters.showNames(overview.agents);
  tiles.show(overview);
  timeline.show(overview);
  agents.show(overview);
  judges.show(overview);
  feed.show(overview, filters.isAny());
  const count = overview.backlog?.dead_letters;
  byId("to-letters").textContent = count ? `Dead letters (${whole(count)})` : "Dead letters";
  byId("scope").textContent = scope(overview);
}

// How much the figures are made of: never more is claimed than was looked at.
function scope({ entries, looked_at: lookedAt, figures, loading }) {
  const of = entries > lookedAt ? `the newest ${whole(lookedAt)} of ${whole(entries)} results` : `all ${whole(lookedAt)} results`;
  const words = filters.isAny() ? `${whole(figures.results)} of ${of}` : `Figures of ${of}`;
  return loading ? `${words}; reading on…` : words;
}

function well({ loading }) {
  connection(loading ? "loading" : "live", loading ? "Reading…" : "Live");
  if (said !== "done") notice(null);
}

// What went wrong, and that it goes on by itself, or what there is to do.
function say(error, waitMs) {
  const again = `Trying again in ${Math.round(waitMs / 1000)} s.`;
  if (error instanceof Unreachable) {
    connection("away", "Server away");
    notice("problem", `The server does not answer. ${last ? "What is shown is from before. " : ""}${again}`);
  } else if (error instanceof Refusal && error.status === 401) {
    polling.stop();
    connection("away", "Key needed");
    notice("problem", "The data needs a key. ", el("button", { type: "button", onclick: () => keys.ask(visible(error.message)) }, "Enter a key"));
    keys.ask(visible(error.message));
  } else if (error instanceof Refusal && error.status === 400) {
    polling.stop(); // the same question gets the same answer
    connection("away", "Refused");
    notice("problem", `${visible(error.message)}. Choose other filters, or clear them.`);
  } else if (error instanceof Refusal) {
    connection("away", error.status === 404 ? "No Redis" : error.status === 503 ? "Redis away" : "Refused");
    notice("problem", `${visible(error.message)}. ${last ? "What is shown is from before. " : ""}${again}`);
  } else {
    connection("away", "Fault");
    notice("problem", `The page has a fault: ${visible(String(error))}`);
  }
}

function connection(state, words) {
  byId("connection").dataset.state = state;
  byId("connection-words").textContent = words;
}

function notice(kind, ...parts) {
  said = kind;
  const place = byId("notice");
  place.hidden = kind === null;
  place.dataset.kind = kind ?? "";
  const wanted = parts.map((part) => part.textContent ?? part).join("");
  if (place.textContent !== wanted) replace(place, parts);
}

function onAddress() {
  document.body.dataset.view = onLetters() ? "letters" : "results";
  byId("verdicts-view").hidden = onLetters();
  byId("letters-view").hidden = !onLetters();
  current(byId("to-results"), !onLetters(), address.href({ view: "", result: "", letter: "" }));
  current(byId("to-letters"), onLetters(), address.href({ view: "dead-letters", result: "", letter: "" }));
  filters.showAddress();
  opened.showAddress();
}

function current(link, is, href) {
  link.setAttribute("href", href);
  if (is) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

let looked = null;

function followAddress() {
  onAddress();
  const now = JSON.stringify([address.filters(), onLetters()]);
  if (now === looked) return;
  looked = now;
  feed.beginAnew();
  polling.now();
}

const links = () => (onLetters() ? letters.links() : feed.links());

// From the opened result to the one beside it.
function step(move) {
  const { result, letter } = address.read();
  const ids = links().map((link) => link.dataset.id);
  const next = ids[ids.indexOf(result ?? letter) + move];
  if (next && ids.includes(result ?? letter)) address.go(result ? { result: next } : { letter: next }, { replacing: true });
}

filters.start();
feed.start(() => polling.now());
opened.start(actions.buttons);
keyboard.start({ links, step });
keys.start(() => {
  keys.showWhether();
  letters.drawAgain();
  said = null;
  polling.now();
  opened.forget();
  opened.showAddress();
});
actions.start((words) => {
  address.go({ letter: "" });
  notice("done", words);
  setTimeout(() => said === "done" && notice(null), 8000);
  polling.now();
});
address.onChange(followAddress);
followAddress();
