// What a replica writes.
import { html } from "lit";
import { services } from "../api/services.js";
import { Piece, define } from "../kit/piece.js";
import { route, setQuery } from "../shell/router.js";
import "../kit/log-view.js";

const FROM_THE_END = -128 * 1024;

class ServiceLog extends Piece {
  static properties = { service: {}, stage: { attribute: false }, previous: { state: true } };

  constructor() {
    super();
    this.previous = false;
  }

  render() {
    const replicas = this.stage.replicas ?? [];
    const wanted = route.current.query.get("replica");
    const replica = replicas.find((one) => one.id === wanted) ?? replicas[0];
    if (replica === undefined) {
      return html`<div class="state"><p>There is no replica on this stage that could have written something.</p></div>`;
    }
    const options = { stage: this.stage.stage, replica: replica.id, previous: this.previous };
    return html`<log-view
      .name=${`${this.service} ${replica.id} ${this.previous} ${replica.restarts}`}
      .label=${`Log of replica ${replica.id}`}
      .address=${services.logAddress(this.service, options)}
      .read=${(signal) => services.followLog(this.service, { ...options, offset: FROM_THE_END }, signal)}
      .tools=${this.tools(replicas, replica)}
      following="Follows as the replica writes"
    ></log-view>`;
  }

  tools(replicas, shown) {
    return html`<select aria-label="Replica" @change=${(event) => setQuery({ replica: event.target.value })}>
        ${replicas.map(({ id, phase }) => html`<option value=${id} ?selected=${id === shown.id}>${id} (${phase.toLowerCase()})</option>`)}
      </select>
      <button type="button" class="small plain" aria-pressed=${this.previous} ?disabled=${shown.restarts === 0 && !this.previous}
        title="What it wrote before its last restart" @click=${() => (this.previous = !this.previous)}>Before the restart</button>`;
  }
}

define("service-log", ServiceLog);
