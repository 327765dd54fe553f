// The kinds of documents that are applied, in the order in which they depend on each other.

/** By the word in a document: the collection in the API, and the address of an object's page when it has one. */
export const OBJECT_KINDS = {
  Project: { collection: "projects", page: "projects" },
  Registry: { collection: "registries", page: null },
  ImageBuild: { collection: "builds", page: "builds" },
  Template: { collection: "templates", page: "templates" },
  Model: { collection: "models", page: "models" },
  Pipeline: { collection: "pipelines", page: "pipelines" },
  Service: { collection: "services", page: "services" },
  Domain: { collection: "domains", page: "domains" },
  Notebook: { collection: "notebooks", page: null },
  Experiment: { collection: "experiments", page: "experiments" },
};

export const KIND_WORDS = Object.keys(OBJECT_KINDS);

/** Hyphens for what a name of a service has not. */
const named = (text) => text.toLowerCase().replaceAll(/[/:._ ]/g, "-");

/** The name of the service of a model whose document names none: type, model, and digits of the version or the alias. */
export function modelServiceName(type, { name = "", version = "", alias = "" }) {
  return alias
    ? named(`${type}-${name}-${alias}`)
    : `${String(type).toLowerCase()}-${named(String(name))}-${String(version).toLowerCase().replaceAll(/[v.:]/g, "").replaceAll("_", "-")}`;
}
