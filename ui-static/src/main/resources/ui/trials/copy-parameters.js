// A trial's parameters in the forms in which people need them elsewhere.
import { copy } from "../kit/clipboard.js";
import { yaml } from "../kit/yaml.js";

const FORMS = {
  JSON: (trial) => JSON.stringify(trial.parameters, null, 2),
  Python: (trial) => python(trial.parameters),
  YAML: (trial) => yaml(trial.parameters),
  id: (trial) => trial.id,
};

export const copyParameters = (trial, form) => copy(FORMS[form](trial), form === "id" ? "Trial id" : `Parameters as ${form}`);

/** A Python literal of a JSON value. */
export function python(value) {
  if (value === null) {
    return "None";
  }
  if (typeof value === "boolean") {
    return value ? "True" : "False";
  }
  if (Array.isArray(value)) {
    return `[${value.map(python).join(", ")}]`;
  }
  if (typeof value === "object") {
    return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${python(inner)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}
