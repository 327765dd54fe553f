// A terminal in a replica of a workload, opened by a click: an event of the workload says who did.
import { html, nothing } from "lit";
import { shells } from "../api/shells.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import "./terminal-view.js";

class WorkloadTerminal extends Piece {
  static properties = { workload: {}, replica: {}, line: {}, words: { attribute: false }, choice: { attribute: false }, opened: { state: true } };

  constructor() {
    super();
    /** The id of a workload; null when none can be opened. */
    this.workload = null;
    /** The id of a replica; null for the newest that is ready. */
    this.replica = null;
    /** A line that is typed into the shell when it opens; null for none. */
    this.line = null;
    /** A field with which another workload or replica is chosen. */
    this.choice = nothing;
    /** The {workload, replica, line} whose terminal is open, also while another one is chosen; null for none. */
    this.opened = null;
  }

  render() {
    const { workload, replica, line } = this;
    if (this.opened === null) {
      return html`<div class="state"><p>${this.words}</p>${workload === null
        ? nothing
        : html`<div class="toolbar">${this.choice}
            <button type="button" class="primary" @click=${() => (this.opened = { workload, replica, line })}>Open a terminal</button></div>`}</div>`;
    }
    return this.terminal(this.opened);
  }

  terminal({ workload, replica, line }) {
    const named = (replica === null ? "" : `replica ${replica} of `) + workload.replace("-", " ");
    return html`<header class="inset toolbar"><span class="soft small">In ${named}</span>
        <button type="button" class="small plain" @click=${() => (this.opened = null)}>${icon("close")}Close the terminal</button></header>
      <terminal-view .label=${`Terminal of ${named}`} .line=${line} .open=${() => shells.open(workload, replica)}
        .refusal=${() => shells.refusal(workload, replica)}></terminal-view>`;
  }
}

define("workload-terminal", WorkloadTerminal);
