// What was not saved yet, for as long as the tab of the browser is open.

const key = (name) => `orrery.unsaved.${name}`;

/** @param draft {revision, text} */
export function keep(name, draft) {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(draft));
  } catch {
    // A full or forbidden storage costs what a reload of the page loses.
  }
}

/** {revision, text}; null when there is nothing. */
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)));
  } catch {
    return null;
  }
}

export function forget(name) {
  try {
    sessionStorage.removeItem(key(name));
  } catch {
    // It was not kept either.
  }
}
