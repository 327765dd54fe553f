// Who looks at the page, for every part of it that depends on that.
import { session } from "../api/request.js";
import { me } from "../api/people.js";

class Account extends EventTarget {
  /** {user, displayName, role, kind, readOnly, projects}; null before the server has said so. */
  who = null;
  #asked = false;

  constructor() {
    super();
    session.addEventListener("granted", () => this.#ask());
    session.addEventListener("wanted", () => {
      this.who = null;
      this.dispatchEvent(new Event("change"));
    });
  }

  /** Asks the server, once. */
  begin() {
    if (!this.#asked) {
      this.#asked = true;
      this.#ask();
    }
  }

  get isAdmin() {
    return this.who?.role === "admin";
  }

  async #ask() {
    try {
      this.who = await me();
    } catch {
      this.who = null;
    }
    this.dispatchEvent(new Event("change"));
  }
}

export const account = new Account();
