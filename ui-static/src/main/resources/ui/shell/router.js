// The address behind the hash: #/experiments/<id>/<tab>?trial=…
import { pageAt } from "./pages.js";

function parse(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(search);
  const page = pageAt(parts);
  if (!page) {
    return { page: "lost", query };
  }
  if (!page.tabs) {
    return { page: page.name, query };
  }
  const tab = parts[2] ?? page.tabs[0];
  return page.tabs.includes(tab) ? { page: page.name, id: parts[1], tab, query } : { page: "lost", query };
}

class Route extends EventTarget {
  #current = null;

  constructor() {
    super();
    window.addEventListener("hashchange", () => this.read());
  }

  /** Read when it is first asked for: then all pages have been added. */
  get current() {
    this.#current ??= parse(location.hash);
    return this.#current;
  }

  read() {
    this.#current = parse(location.hash);
    this.dispatchEvent(new Event("change"));
  }
}

export const route = new Route();

export function navigate(address) {
  location.hash = address;
}

/** The address of an object's page. */
export const addressIn = (collection, id, tab = "") => `#/${collection}/${encodeURIComponent(id)}${tab ? "/" + tab : ""}`;

/** The address of an experiment's tab. */
export const addressOf = (id, tab = "overview", query = "") =>
  `#/experiments/${encodeURIComponent(id)}${tab === "overview" ? "" : "/" + tab}${query ? "?" + query : ""}`;

/** Changes what stands behind the question mark, without a step back for each change. */
export function setQuery(changes, { step = false } = {}) {
  const query = new URLSearchParams(route.current.query);
  for (const [name, value] of Object.entries(changes)) {
    if (Array.isArray(value)) {
      query.delete(name);
      value.forEach((one) => query.append(name, one));
    } else if (value === null || value === undefined || value === "") {
      query.delete(name);
    } else {
      query.set(name, value);
    }
  }
  const text = query.toString();
  const address = location.hash.split("?")[0] + (text ? "?" + text : "");
  if (address === location.hash) {
    return;
  }
  history[step ? "pushState" : "replaceState"](null, "", address || "#/");
  route.read();
}
