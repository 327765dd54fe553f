// A field for code, with line numbers and colours. Until CodeMirror is there, and where it cannot be loaded, it is a plain one.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";

class CodeField extends Piece {
  static properties = { value: {}, language: {}, label: {}, hint: {}, isFixed: { type: Boolean }, isWrong: { type: Boolean } };

  constructor() {
    super();
    this.value = "";
    this.hint = "";
    this.view = null;
    this.isTaking = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    try {
      const { codeMirror } = await import("./code-mirror.js");
      await this.updateComplete;
      const host = this.querySelector(".code-host");
      if (!this.isConnected || this.view !== null || !host) {
        return;
      }
      const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
      this.view = codeMirror(root, {
        text: this.value ?? "",
        language: this.language ?? "",
        label: this.label,
        hint: this.hint ?? "",
        isFixed: Boolean(this.isFixed),
        isWrong: Boolean(this.isWrong),
        written: (text) => this.isTaking || this.tell(text),
      });
      // Escape lets Tab leave the field, and Ctrl+Z is about its text: neither is for the picture.
      host.addEventListener("keydown", (event) => event.stopPropagation());
      this.requestUpdate();
    } catch {
      // The plain field stays.
    }
  }

  tell(text) {
    this.value = text;
    this.dispatchEvent(new CustomEvent("written", { detail: text }));
  }

  updated(changed) {
    if (this.view === null) {
      return;
    }
    const shown = this.view.state.doc.toString();
    if (changed.has("value") && shown !== (this.value ?? "")) {
      this.isTaking = true;
      this.view.dispatch({ changes: { from: 0, to: shown.length, insert: this.value ?? "" } });
      this.isTaking = false;
    }
    this.view.contentDOM.setAttribute("aria-invalid", String(Boolean(this.isWrong)));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.view?.destroy();
    this.view = null;
  }

  render() {
    return html`<div class="code-host" ?hidden=${this.view === null}></div>
      <textarea class="code" ?hidden=${this.view !== null} rows="6" spellcheck="false" autocapitalize="off" aria-label=${this.label}
        placeholder=${this.hint ?? ""} ?disabled=${this.isFixed} aria-invalid=${this.isWrong ? "true" : "false"} .value=${this.value ?? ""}
        @input=${(event) => this.tell(event.target.value)}></textarea>`;
  }
}

define("code-field", CodeField);
