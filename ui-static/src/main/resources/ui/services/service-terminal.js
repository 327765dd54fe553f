// The terminal of a stage of a service, in a replica that can be chosen.
import { html, nothing } from "lit";
import { Piece, define } from "../kit/piece.js";
import { route, setQuery } from "../shell/router.js";
import "../terminal/workload-terminal.js";

class ServiceTerminal extends Piece {
  static properties = { service: {}, stage: { attribute: false } };

  render() {
    const replicas = this.stage.replicas ?? [];
    const wanted = route.current.query.get("replica");
    const chosen = replicas.find(({ id }) => id === wanted) ?? replicas[0];
    const workload = `service-${this.stage.stage === "production" ? "" : `${this.stage.stage}.`}${this.service}`;
    return html`<workload-terminal .workload=${chosen ? workload : null} .replica=${chosen?.id ?? null}
      .words=${chosen
        ? "A shell in the replica, with its files and variables. Who opens it is an event of the service."
        : "There is no replica on this stage in which a terminal could be opened."}
      .choice=${replicas.length > 1 ? choice(replicas, chosen) : nothing}></workload-terminal>`;
  }
}

const choice = (replicas, chosen) => html`<select aria-label="Replica" @change=${(event) => setQuery({ replica: event.target.value })}>
  ${replicas.map(({ id, phase }) => html`<option value=${id} ?selected=${id === chosen.id}>${id} (${phase.toLowerCase()})</option>`)}</select>`;

define("service-terminal", ServiceTerminal);
