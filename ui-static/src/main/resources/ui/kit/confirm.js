// Asks before something that cannot be undone.

/** Answers whether the user agreed. */
export function confirm({ title, text, action }) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "confirm-title");
  const heading = Object.assign(document.createElement("h2"), { id: "confirm-title", textContent: title });
  const words = Object.assign(document.createElement("p"), { className: "soft", textContent: text });
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  const footer = document.createElement("footer");
  const cancel = Object.assign(document.createElement("button"), { value: "", textContent: "Cancel" });
  const agree = Object.assign(document.createElement("button"), { value: "yes", textContent: action, className: "danger", autofocus: true });
  footer.append(cancel, agree);
  form.append(footer);
  dialog.append(heading, words, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
