// What the browser remembers between visits: theme, columns, chart choices.

export function recall(key, standard) {
  try {
    const text = localStorage.getItem("orrery." + key);
    return text === null ? standard : JSON.parse(text);
  } catch {
    return standard;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem("orrery." + key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs a preference, nothing more.
  }
}
