// What happened to a notebook, what its program wrote, and a terminal in it for its owner.
import { html, nothing } from "lit";
import { notebooks } from "../api/notebooks.js";
import { fullTime, time } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { account } from "../people/account.js";
import "../kit/log-view.js";
import "../terminal/workload-terminal.js";

const FROM_THE_END = -64 * 1024;
const SHOWN = 30;

class NotebookDetail extends Piece {
  static properties = { name: {}, owner: {}, state: { attribute: false } };

  constructor() {
    super();
    this.poll = new Poll(this, () => notebooks.events(this.name), { about: () => this.name });
  }

  render() {
    const { answer, failure } = this.poll;
    const lines = this.state.lastLines ?? [];
    const { name } = this;
    return html`<div class="stack">
      ${this.state.exitCode === null || this.state.exitCode === undefined ? nothing : html`<p class="small">The program ended with ${this.state.exitCode}.</p>`}
      ${lines.length > 0 ? html`<pre role="region" aria-label="Last lines">${lines.join("\n")}</pre>` : nothing}
      ${answer === null
        ? html`<p>${failure?.message ?? html`<span class="spinner"></span>`}</p>`
        : html`<table class="objects" aria-label="Events of ${name}">
            <thead><tr><th>When</th><th>State</th><th>Reason</th></tr></thead>
            <tbody>${[...answer.items].reverse().slice(0, SHOWN).map((event) => html`<tr><td class="number small" title=${fullTime(event.at)}>${time(event.at)}</td>
              <td>${pill(event.state)}</td><td class="small wrap">${event.reason ?? ""}</td></tr>`)}</tbody></table>`}
      ${["STOPPED", "WAITING"].includes(this.state.status)
        ? nothing
        : html`<log-view .name=${`${name} ${this.state.since}`} .label=${`Log of ${name}`} .address=${notebooks.logAddress(name, {})}
            .read=${(signal) => notebooks.followLog(name, { offset: FROM_THE_END }, signal)}></log-view>`}
      ${account.who?.user === this.owner && ["RUNNING", "IDLE"].includes(this.state.status)
        ? html`<section aria-label="Terminal of ${name}"><workload-terminal .workload=${`notebook-${name}`}
            .words=${"A shell in your directory, with the programs and variables of the notebook."}></workload-terminal></section>`
        : nothing}
    </div>`;
  }
}

define("notebook-detail", NotebookDetail);
