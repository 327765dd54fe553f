// The keys of a terminal, as xterm sends them. Draws nothing.

const LETTERS = { ArrowUp: "A", ArrowDown: "B", ArrowRight: "C", ArrowLeft: "D", Home: "H", End: "F" };
const NUMBERS = { Insert: 2, Delete: 3, PageUp: 5, PageDown: 6, F5: 15, F6: 17, F7: 18, F8: 19, F9: 20, F10: 21, F11: 23, F12: 24 };
const FUNCTIONS = { F1: "P", F2: "Q", F3: "R", F4: "S" };
const PLAIN = { Enter: "\r", Escape: "\x1b" };

/**
 * What a key sends.
 *
 * @param event {key, ctrlKey, shiftKey, altKey, metaKey, isComposing}
 * @param modes of the screen
 * @return text; null when the key is the browser's, or types what the field reports
 */
export function textOf(event, modes) {
  const { key, ctrlKey, shiftKey, altKey, metaKey, isComposing } = event;
  if (isComposing || metaKey || (ctrlKey && shiftKey && key.length === 1)) {
    return null;
  }
  const modifiers = 1 + (shiftKey ? 1 : 0) + (altKey ? 2 : 0) + (ctrlKey ? 4 : 0);
  if (key in LETTERS || key in FUNCTIONS) {
    const letter = LETTERS[key] ?? FUNCTIONS[key];
    if (modifiers > 1) {
      return `\x1b[1;${modifiers}${letter}`;
    }
    return (key in FUNCTIONS || modes.applicationKeys ? "\x1bO" : "\x1b[") + letter;
  }
  if (key in NUMBERS) {
    return modifiers > 1 ? `\x1b[${NUMBERS[key]};${modifiers}~` : `\x1b[${NUMBERS[key]}~`;
  }
  const meta = altKey ? "\x1b" : "";
  if (key in PLAIN) {
    return meta + PLAIN[key];
  }
  if (key === "Tab") {
    return shiftKey ? "\x1b[Z" : "\t";
  }
  if (key === "Backspace") {
    return meta + (ctrlKey ? "\x08" : "\x7f");
  }
  if (ctrlKey && key.length === 1) {
    const code = key.toUpperCase().charCodeAt(0);
    return key === " " ? "\0" : code >= 0x40 && code <= 0x5f ? meta + String.fromCharCode(code & 0x1f) : null;
  }
  return altKey && key.length === 1 && !ctrlKey ? meta + key : null;
}

/** Pasted text as typed: lines end with a carriage return; a program that asks for it sees where it begins and ends. */
export function pasted(text, modes) {
  const typed = text.replace(/\r?\n/g, "\r").replace(/\x1b/g, "");
  return modes.pasteMarks ? `\x1b[200~${typed}\x1b[201~` : typed;
}
