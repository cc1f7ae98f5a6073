// The only place that sends anything: to this page's own server, with the key in a header.

const KEY = "api-key";
const SECONDS = 20;

export class Refusal extends Error {
  constructor(status, problem) {
    super(problem);
    this.status = status;
  }
}

export class Unreachable extends Error {}

let held = null; // where storage is switched off the key lasts until the page is left

export function key() {
  try {
    return sessionStorage.getItem(KEY) ?? held;
  } catch {
    return held;
  }
}

export function keep(value) {
  held = value;
  try {
    if (value === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  } catch {
    // held in memory alone
  }
}

// `known` is the tag of what is shown already; null comes back where nothing changed.
export async function get(path, known = null) {
  const response = await send(path, { headers: known ? { "If-None-Match": known } : {}, cache: "no-store" });
  if (response.status === 304) return null;
  return { tag: response.headers.get("etag"), data: await response.json() };
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await send(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function send(path, options) {
  const headers = { ...options.headers };
  if (key()) headers["X-API-Key"] = inBytes(key());
  let response;
  try {
    response = await fetch(path, { ...options, headers, credentials: "omit", signal: AbortSignal.timeout(SECONDS * 1000) });
  } catch {
    throw new Unreachable("The server does not answer.");
  }
  if (response.ok || response.status === 304) return response;
  throw new Refusal(response.status, await problemOf(response));
}

async function problemOf(response) {
  try {
    return String((await response.json()).error);
  } catch {
    return `The server answered ${response.status}.`;
  }
}

// A header holds bytes: the key's UTF-8, as other clients send it.
const inBytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));
