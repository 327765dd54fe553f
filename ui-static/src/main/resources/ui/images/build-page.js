// One build of an image: how it went, its log as it is written, and its document.
import { html, nothing } from "lit";
import { builds } from "../api/images.js";
import { documentText } from "../documents/document-text.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { attemptAnew } from "../shell/toasts.js";
import { outcome } from "./build-words.js";
import "../kit/log-view.js";

const UNFINISHED = ["QUEUED", "RUNNING", "PUSHING"];

class BuildPage extends Piece {
  static properties = { name: {} };

  constructor() {
    super();
    this.poll = new Poll(this, () => builds.get(this.name), { about: () => this.name });
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      document.title = `${this.name} · Orrery`;
    }
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null) {
      return notShown(failure, "build", this.name, ["#/images", "All images"]);
    }
    const { name, owner, project, target, state } = answer;
    const act = (command, words) => attemptAnew(this.poll, () => builds.command(name, command), words);
    return html`
      <div class="page-head"><h1>${name}</h1>${pill(state.status)}
        <div class="end">
          <a class="button" href=${`#/documents/build/change?name=${encodeURIComponent(name)}`}>Change</a>
          ${UNFINISHED.includes(state.status)
            ? html`<button type="button" @click=${() => act("cancel", "Ending the build")}>${icon("stop")}Cancel</button>`
            : html`<button type="button" class="primary" @click=${() => act("start", "Started again")}>${icon("retry")}Rebuild</button>`}
        </div></div>
      <div class="stack">
      ${state.reason ? html`<p class=${state.status === "FAILED" ? "fault" : "soft"}>${state.reason}</p>` : nothing}
      <div class="card"><dl class="facts">
        ${fact("Image", html`<span class="wrap">${target}</span>`)}
        ${fact("Digest", html`<span class="wrap code">${state.digest ?? "–"}</span>`)}
        ${fact("Took", outcome(state))}
        ${fact("Started", html`<span title=${fullTime(state.startedAt)}>${time(state.startedAt)}</span> by ${state.startedBy}`)}
        ${fact("Owner", `${owner} in ${project}`)}
      </dl></div>
      <log-view .name=${`${name} ${state.number}`} .label=${`Log of ${name}`} .address=${builds.logAddress(name)}
        .read=${(signal) => builds.followLog(name, signal)}></log-view>
      <h2>Document</h2>
      <pre class="document" role="region" aria-label="Document of ${name}" tabindex="0">${documentText(answer)}</pre></div>`;
  }
}

const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

define("build-page", BuildPage);
