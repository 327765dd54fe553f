// The address behind the hash: #/experiments/<id>/<tab>?trial=…
const PAGES = ["overview", "new", "compare", "about", "log", "routes", "services", "pipelines", "runs", "editor", "models", "notebooks", "images", "builds", "files", "projects", "people", "usage", "audit", "account"];
// Pages of one object, with their tabs; the first is shown when the address names none.
const OBJECTS = {
  experiments: { page: "experiment", tabs: ["overview", "trials", "parameters", "curves", "analysis", "compare", "configuration", "log"] },
  services: { page: "service", tabs: ["overview", "log", "events", "document"] },
  domains: { page: "domain", tabs: ["overview"] },
  pipelines: { page: "pipeline", tabs: ["graph", "runs", "schedule", "versions"] },
  runs: { page: "run", tabs: ["graph", "compare"] },
  builds: { page: "build", tabs: ["log"] },
  models: { page: "model", tabs: ["versions"] },
  projects: { page: "project", tabs: ["members"] },
  documents: { page: "document", tabs: ["new", "change"] },
};

function parse(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(search);
  if (parts.length === 0) {
    return { page: "list", query };
  }
  if (parts[0] in OBJECTS && parts.length >= 2 && parts.length <= 3) {
    const { page, tabs } = OBJECTS[parts[0]];
    const tab = parts[2] ?? tabs[0];
    return tabs.includes(tab) ? { page, id: parts[1], tab, query } : { page: "lost", query };
  }
  return parts.length === 1 && PAGES.includes(parts[0]) ? { page: parts[0], query } : { page: "lost", query };
}

class Route extends EventTarget {
  current = parse(location.hash);

  constructor() {
    super();
    window.addEventListener("hashchange", () => this.read());
  }

  read() {
    this.current = parse(location.hash);
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
