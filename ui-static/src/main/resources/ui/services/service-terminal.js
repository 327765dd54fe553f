// A terminal in a replica of a service, opened by a click: an event of the service says who did.
import { html } from "lit";
import { shells } from "../api/shells.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { route, setQuery } from "../shell/router.js";
import "../terminal/terminal-view.js";

class ServiceTerminal extends Piece {
  static properties = { service: {}, stage: { attribute: false }, opened: { state: true } };

  constructor() {
    super();
    /** The {workload, replica} whose terminal is open, also while another stage is shown; null for none. */
    this.opened = null;
  }

  render() {
    if (this.opened !== null) {
      const { workload, replica } = this.opened;
      return html`<header class="inset toolbar"><span class="soft small">Replica ${replica} of ${workload.replace("-", " ")}</span>
          <button type="button" class="small plain" @click=${() => (this.opened = null)}>${icon("close")}Close the terminal</button></header>
        <terminal-view .label=${`Terminal of replica ${replica}`} .open=${() => shells.open(workload, replica)}
          .refusal=${() => shells.refusal(workload, replica)}></terminal-view>`;
    }
    const replicas = this.stage.replicas ?? [];
    const workload = `service-${this.stage.stage === "production" ? "" : `${this.stage.stage}.`}${this.service}`;
    if (replicas.length === 0) {
      return html`<div class="state"><p>There is no replica on this stage in which a terminal could be opened.</p></div>`;
    }
    const wanted = route.current.query.get("replica");
    const chosen = replicas.find(({ id }) => id === wanted) ?? replicas[0];
    return html`<div class="state"><p>A shell in the replica, with its files and variables. Who opens it is an event of the service.</p>
      <div class="toolbar">${replicas.length > 1
        ? html`<select aria-label="Replica" @change=${(event) => setQuery({ replica: event.target.value })}>
            ${replicas.map(({ id, phase }) => html`<option value=${id} ?selected=${id === chosen.id}>${id} (${phase.toLowerCase()})</option>`)}</select>`
        : ""}<button type="button" class="primary" @click=${() => (this.opened = { workload, replica: chosen.id })}>Open a terminal</button></div></div>`;
  }
}

define("service-terminal", ServiceTerminal);
