// The document of an object as its author would write it.
import { yaml } from "../kit/yaml.js";

/** What answers add to a document, which the server does not take back. */
const ADDED = ["owner", "createdAt", "changedAt", "revision", "state", "stages", "builtIn"];

export const documentText = (object) => yaml(Object.fromEntries(Object.entries(object).filter(([key]) => !ADDED.includes(key))));
