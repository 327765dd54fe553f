// Light, dark, or as the system says.
import { recall, remember } from "../kit/remember.js";

export const THEMES = ["system", "light", "dark"];

class Theme extends EventTarget {
  chosen = recall("theme", "system");

  constructor() {
    super();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#changed());
  }

  choose(name) {
    this.chosen = name;
    remember("theme", name);
    if (name === "system") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = name;
    }
    this.#changed();
  }

  get isDark() {
    return this.chosen === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : this.chosen === "dark";
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const theme = new Theme();

export const turnTheme = () => theme.choose(theme.isDark ? "light" : "dark");
