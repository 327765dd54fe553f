// A list that opens below a button. The browser's own <details> holds its state.
import { html } from "lit";

// What was clicked may be gone from its menu by now: the path that the event took is asked.
function shut(event) {
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (event.type === "keydown" ? event.key === "Escape" : !event.composedPath().includes(menu) || event.target.closest("[data-closes]")) {
      menu.open = false;
      if (event.type === "keydown") {
        event.preventDefault();
        menu.querySelector("summary").focus();
      }
    }
  });
}

document.addEventListener("click", shut);
document.addEventListener("keydown", shut, true);

/**
 * @param label what the button shows
 * @param items of the list; those with data-closes close it when they are clicked
 */
export const menu = (label, items, { title = "", look = "", side = "" } = {}) => html`<details class="menu ${side}">
  <summary class="button ${look}" title=${title} aria-label=${title} role="button">${label}</summary>
  <div class="list">${items}</div>
</details>`;
