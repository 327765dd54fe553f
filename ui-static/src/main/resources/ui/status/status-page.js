// How the server is: what its checks have found, the servers beside it, its disks, and its nightly jobs.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { serverStatus } from "../api/status.js";
import { loadingRows } from "../experiments/list-states.js";
import { bytes, count, duration, fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";

const PAUSE_MS = 5000;
const ROLES = 5;
const LOOKS = {
  ok: ["OK", "good"],
  unknown: ["Unknown", "idle"],
  warning: ["Warning", "warn"],
  failed: ["Failed", "bad"],
  starting: ["Starting", "busy"],
};
const SUMMARIES = {
  ok: "All checks are good.",
  unknown: "Some checks have no answer yet.",
  warning: "It works; something needs attention.",
  failed: "Something does not work.",
  starting: "The server is starting.",
};

const pill = (state) => {
  const [word, look] = LOOKS[state] ?? LOOKS.unknown;
  return html`<span class="pill ${look}">${word}</span>`;
};

const moment = (text) => html`<span title=${fullTime(text)}>${time(text)}</span>`;

class StatusPage extends Piece {
  constructor() {
    super();
    this.status = new Poll(this, serverStatus, { pauseMs: PAUSE_MS });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Status · Orrery";
  }

  render() {
    const { answer, failure } = this.status;
    return html`
      <div class="page-head"><h1>Status</h1>
        ${answer === null ? nothing : html`<div class="end">${pill(answer.status)}<a class="button" href="#/check">Check a platform</a>
          <button type="button" @click=${() => this.status.now()}>${icon("retry")}Check again</button></div>`}</div>
      ${answer === null
        ? failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()
        : html`<div class="stack">
            <p class="soft">${SUMMARIES[answer.status]} <span class="small">${failure === null ? "As of" : html`<span class="bad">${failure.message}</span> Last known at`} ${moment(answer.at)}.</span></p>
            ${answer.checks ? whole(answer) : brief(answer)}</div>`}`;
  }
}

const brief = ({ status }) => html`<div class="card state"><p>${status === "starting"
  ? "The checks begin when it has started."
  : "What the checks have found is for administrators of the server."}</p></div>`;

const whole = (status) => html`
  <div class="card flush"><table class="objects" aria-label="Checks">
    <thead><tr><th>State</th><th>Check</th><th>Found</th><th>Checked</th></tr></thead>
    <tbody>${repeat(status.checks, key, checked)}</tbody></table></div>
  ${servers(status)}
  <section class="stack"><h2>Storage</h2>${storage(status.storage)}</section>
  <section class="stack"><h2>Removal of old objects</h2>${retention(status.retention)}</section>
  <section class="card"><h2>Sandbox</h2><p>${sandboxed(status.sandbox)}</p></section>`;

/** Each server has checks of the same names. */
const key = ({ name, server }) => server ? `${server.id} ${name}` : name;

const checked = (check) => html`<tr data-check=${key(check)}>
  <td>${pill(check.state)}</td><td><b>${check.name}</b>${check.server
    ? html`<div class="small soft wrap">of ${check.server.host}, ${check.server.url}</div>` : nothing}</td>
  <td class="wide wrap">${check.found}${check.hint ? html`<div class="small soft hint">${check.hint}</div>` : nothing}</td>
  <td class="small soft number" data-label="checked">${moment(check.checkedAt)}</td></tr>`;

const servers = ({ servers: all, version }) => html`<section class="stack"><h2>Servers</h2>
  ${all.length === 0
    ? html`<div class="card state"><p>The database does not say which servers there are.</p></div>`
    : html`<div class="card flush"><table class="objects" aria-label="Servers">
      <thead><tr><th>Address</th><th>Machine</th><th>Version</th><th>Roles</th><th>Clock</th><th>Heard</th></tr></thead>
      <tbody>${all.map((server) => html`<tr>
        <td class="who">${server.url}${server.isThis ? html` <span class="small soft">this one</span>` : nothing}</td>
        <td class="small">${server.host}</td>
        <td class="small ${server.version === version ? "" : "bad"}" data-label="version">${server.version ?? "older"}</td>
        <td class="small soft">${server.roles.length === ROLES ? "all" : server.roles.join(", ")}</td>
        <td class="small number" data-label="clock">${apart(server.clockAhead)}</td>
        <td class="small soft number" data-label="heard">${server.isThis || server.heardAt === null ? "–" : moment(server.heardAt)}</td></tr>`)}</tbody></table></div>`}</section>`;

/** A clock by which two agree to the second needs no number. */
const apart = (seconds) => {
  if (seconds === null) {
    return "–";
  }
  return Math.abs(seconds) < 1 ? "good" : `${duration(Math.abs(seconds))} ${seconds > 0 ? "ahead" : "behind"}`;
};

const storage = (disks) => disks.length === 0
  ? html`<div class="card state"><p>No disk could be asked yet.</p></div>`
  : html`<div class="card flush"><table class="objects" aria-label="Storage">
      <thead><tr><th>Directory</th><th>File system</th><th class="right">Free</th><th class="right">Of</th></tr></thead>
      <tbody>${disks.map((disk) => html`<tr><td class="who wrap">${disk.path}</td><td class="small soft wrap">${disk.fileSystem}</td>
        <td class="right number" data-label="free">${bytes(disk.freeBytes)}</td><td class="right number" data-label="of">${bytes(disk.totalBytes)}</td></tr>`)}</tbody></table></div>`;

const retention = (rules) => rules.length === 0
  ? html`<div class="card state"><p>No server with the role orchestrator says what is removed.</p></div>`
  : html`<div class="card flush"><table class="objects" aria-label="Removal of old objects">
      <thead><tr><th>Kind</th><th>Kept</th><th>Last pass</th><th class="right">Removed</th><th class="right">In use</th></tr></thead>
      <tbody>${rules.map(({ kind, keepDays, last }) => html`<tr><td><b>${kind}</b></td>
        <td class="small">${keepDays === null ? "for ever" : `${keepDays} days`}</td>
        <td class="small">${last === null ? "not yet" : moment(last.at)}${last?.failure ? html` <span class="bad">${last.failure}</span>` : nothing}</td>
        <td class="right number" data-label="removed">${count(last?.removed)}</td><td class="right number" data-label="in use">${count(last?.kept)}</td></tr>`)}</tbody></table></div>`;

const sandboxed = ({ mode, accounts }) => {
  if (mode !== "none") {
    return html`<code>${mode}</code>: programs of people run apart from the server and from each other.`;
  }
  return accounts
    ? html`<code class="bad">none</code>: programs of people run as the user of the server, and may read what it reads.`
    : html`<code>none</code>: programs run as the user of the server; there are no accounts.`;
};

define("status-page", StatusPage);
