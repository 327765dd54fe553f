// Which algorithms take a search space, from what the server says of the types that each takes.

const isBranch = (option) => typeof option === "object" && option !== null && "_name" in option;

/** What a space asks for: a Map from a type, or "nested", to the name of a parameter that has it. */
export function needsOf(space, found = new Map()) {
  for (const [name, entry] of Object.entries(space ?? {})) {
    const type = entry?._type;
    if (typeof type === "string" && !found.has(type)) {
      found.set(type, name);
    }
    for (const option of type === "choice" && Array.isArray(entry._value) ? entry._value.filter(isBranch) : []) {
      if (!found.has("nested")) {
        found.set("nested", name);
      }
      const { _name: _, ...inner } = option;
      needsOf(inner, found);
    }
  }
  return found;
}

/** Why an algorithm does not take a space; null when it does, or when only it knows. */
export function refusalOf(algorithm, model) {
  const types = algorithm.types ?? {};
  if (algorithm.className === null || algorithm.className === undefined) {
    for (const [type, name] of needsOf(model.searchSpace)) {
      if (type in types && !types[type]) {
        return type === "nested" ? `no nested choice (${name})` : `no ${type} (${name})`;
      }
    }
  }
  return (model.objectives?.length ?? 0) > 1 && !algorithm.severalObjectives && algorithm.name !== "Auto" ? "one objective only" : null;
}
