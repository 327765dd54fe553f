// Modules that are loaded when they are first needed.

/**
 * @param modules from names to functions that import
 * @param then called when one has come
 * @param failed called when one could not be had, for example because the session has ended
 */
export function later(modules, then, failed = () => {}) {
  const loaded = new Set();
  const asked = new Set();
  /** Whether the named part may be drawn; asks for it when not. An element must not be placed before its module is there: it would miss its properties. */
  return (name) => {
    if (!(name in modules) || loaded.has(name)) {
      return true;
    }
    if (!asked.has(name)) {
      asked.add(name);
      modules[name]().then(
        () => (loaded.add(name), then()),
        () => (asked.delete(name), failed()),
      );
    }
    return false;
  };
}
