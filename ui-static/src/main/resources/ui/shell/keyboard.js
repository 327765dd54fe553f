// Shortcuts: single keys, or two in a row ("g e"). They rest while something is being typed.

const groups = new Map();
const CHORD_MS = 1200;
let first = null;
let firstAt = 0;

/**
 * Adds a group of shortcuts; answers with what takes it away.
 * @param bindings from keys to [what it does, the action]
 */
export function shortcuts(title, bindings) {
  const key = Symbol(title);
  groups.set(key, { title, bindings });
  return () => groups.delete(key);
}

/** For the sheet that `?` opens. */
export const allShortcuts = () => [...groups.values()];

function isTyping(target) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  return (
    target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target.tagName === "INPUT" && !/^(checkbox|radio|button)$/.test(target.type))
  );
}

function find(keys) {
  // The group that came last is the nearest to what the user sees.
  return [...groups.values()].reverse().find((group) => keys in group.bindings)?.bindings[keys];
}

window.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
    return;
  }
  if (event.key !== "Escape" && document.querySelector("dialog[open]")) {
    return;
  }
  const key = event.key;
  const chord = first && event.timeStamp - firstAt < CHORD_MS ? find(`${first} ${key}`) : undefined;
  const binding = chord ?? find(key);
  first = binding ? null : key;
  firstAt = event.timeStamp;
  if (binding && binding[1](event) !== false) {
    event.preventDefault();
  }
});
