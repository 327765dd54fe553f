// What every element of the page is made from: Lit without a shadow tree, so that one set of style
// sheets, labels and focus order serves them all.
import { LitElement } from "lit";

export class Piece extends LitElement {
  #releases = [];

  createRenderRoot() {
    return this;
  }

  /** Runs when the element leaves the page. */
  keep(release) {
    this.#releases.push(release);
  }

  /** Listens for as long as the element is on the page. */
  listen(target, type, listener, options) {
    target.addEventListener(type, listener, options);
    this.keep(() => target.removeEventListener(type, listener, options));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#releases.splice(0).forEach((release) => release());
  }

  /** Dispatches an event to the parent element. */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

/** Defines an element once. */
export function define(name, type) {
  customElements.define(name, type);
}
