// What a trial left: every file that the server keeps of it, to be taken along.
import { html, nothing } from "lit";
import { trials } from "../api.js";
import { bytes, count } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import "../notebooks/notebook-opener.js";

class TrialFiles extends Piece {
  static properties = { experiment: {}, trial: { attribute: false }, found: { state: true }, failure: { state: true } };

  willUpdate(changed) {
    // A trial that goes on, or runs again, has other files.
    const before = changed.get("trial");
    if (changed.has("trial") && (before?.id !== this.trial.id || before.status !== this.trial.status || before.attempt !== this.trial.attempt)) {
      this.load();
    }
  }

  async load() {
    const { id } = this.trial;
    try {
      const found = await trials.files(this.experiment, id);
      if (id === this.trial.id) {
        this.found = found;
        this.failure = null;
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    if (this.failure) {
      return html`<p class="fault inset">${this.failure.message}</p>`;
    }
    if (!this.found) {
      return html`<div class="inset"><span class="bone w60"></span></div>`;
    }
    const { items, more } = this.found;
    return html`<div class="scroll inset">
      ${items.length === 0
        ? html`<p class="soft small">The server keeps no files of this trial.</p>`
        : html`<table class="pairs files"><tbody>${items.map(
            (file) => html`<tr><td class="code wrap"><a href=${trials.fileAddress(this.experiment, this.trial.id, file.path)}
              download=${file.path.split("/").at(-1)}>${icon("download")}${file.path}</a></td><td class="right number soft">${bytes(file.bytes)}</td></tr>`,
          )}</tbody></table>`}
      ${items.length > 0 && !more ? html`<notebook-opener .from=${{ experiment: this.experiment, trial: this.trial.id }}></notebook-opener>` : nothing}
      ${more ? html`<p class="faint small">The first ${count(items.length)}; there are more.</p>` : nothing}
    </div>`;
  }
}

define("trial-files", TrialFiles);
