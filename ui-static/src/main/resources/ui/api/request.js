// How the page asks the server. Every function answers with what the API answers; a refusal is a Refusal.

// Relative to the page, so that it holds below any path prefix of a proxy.
export const V1 = "api/v1";

/** Fired on `session` with no detail when the server wants a token. */
export const session = new EventTarget();

/** What the server answered instead of what was asked for; status 0 when it could not be reached. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || problem.message || `The server answered ${status}.`);
    this.status = status;
    this.title = problem.title || "";
    this.errors = problem.errors || [];
    /** The object as it is now, when it is not any more what the change was meant for. */
    this.present = problem.present ?? null;
  }
}

export async function send(method, path, body, type = "application/json", headers = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? headers : { "Content-Type": type, ...headers },
      body,
    });
  } catch {
    throw new Refusal(0, { detail: "The server cannot be reached." });
  }
  if (!response.ok) {
    throw await refusal(response);
  }
  return response;
}

async function refusal(response) {
  if (response.status === 401) {
    session.dispatchEvent(new Event("wanted"));
  }
  const problem = await response.json().catch(() => ({}));
  return new Refusal(response.status, problem);
}

/** The headers of a change that is meant for one revision; for any when it is null or absent. */
export const onlyFor = (revision) => (revision === null || revision === undefined ? {} : { "If-Match": `"${revision}"` });

/** The headers of a change that is meant for one revision of an object, or for a new one when `isNew`. */
export const onlyForOrNew = (revision, isNew) => (isNew ? { "If-None-Match": "*" } : onlyFor(revision));

export async function json(method, path, value, headers = {}) {
  const response = await send(method, V1 + path, value === undefined ? undefined : JSON.stringify(value), undefined, headers);
  return response.status === 204 ? null : response.json();
}

const PAGE = 1000;
const MOST = 20_000;

/** A list as a whole: read page after page, to a bound that keeps the browser usable; past it `next` is not null. */
export async function whole(path, options = {}) {
  const items = [];
  let page = { next: null };
  do {
    page = await json("GET", path + query({ ...options, limit: PAGE, cursor: page.next }));
    items.push(...page.items);
  } while (page.next && items.length < MOST);
  return { ...page, items };
}

/** Absent and empty values are left out; of a list each value is given. */
export function query(values) {
  const pairs = Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]]))
    .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false);
  return pairs.length === 0 ? "" : "?" + new URLSearchParams(pairs).toString();
}

/** Text as it is written, piece by piece, until the server ends it or the signal aborts. */
export async function* follow(address, signal) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", signal });
  } catch (failure) {
    throw signal.aborted ? failure : new Refusal(0, { detail: "The server cannot be reached." });
  }
  if (!response.ok) {
    throw await refusal(response);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    yield value;
  }
}

/** Puts a file; fetch tells nothing of how far an upload is. @param progress called with the share that has been sent */
export const upload = (address, file, progress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", address);
    request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : reject(new Refusal(request.status, problemOf(request.responseText))));
    request.onerror = () => reject(new Refusal(0, { detail: "The server cannot be reached." }));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });

function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
