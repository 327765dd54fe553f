// What happened to a service: changes of state with their reasons, and decisions of the scaler.
import { html, nothing } from "lit";
import { services } from "../api/services.js";
import { fullTime, time } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import "./scaling-chart.js";

class ServiceEvents extends Piece {
  static properties = { service: {}, stage: {} };

  constructor() {
    super();
    this.poll = new Poll(
      this,
      async () => {
        const [events, scalings] = await Promise.all([services.events(this.service, this.stage), services.scalings(this.service)]);
        return { events: events.items, scalings: scalings.items };
      },
      { about: () => `${this.stage} ${this.service}` },
    );
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null) {
      return html`<div class="card state"><p>${failure?.message ?? html`<span class="spinner"></span>`}</p></div>`;
    }
    return html`
      ${answer.scalings.length > 0
        ? html`<section class="card below" aria-label="Replicas over time"><header><h2>Replicas wanted</h2></header>
            <scaling-chart .scalings=${answer.scalings}></scaling-chart></section>
          <section class="card flush below"><table class="objects" aria-label="Scaling">
            <thead><tr><th>Scaled</th><th class="right">From</th><th class="right">To</th><th>Why</th></tr></thead>
            <tbody>${answer.scalings.map((one) => html`<tr><td class="number small" title=${fullTime(one.at)}>${time(one.at)}</td><td
              class="right number">${one.from}</td><td class="right number">${one.to}</td><td class="small">${one.reason}</td></tr>`)}</tbody>
          </table></section>`
        : nothing}
      <div class="card flush"><table class="objects" aria-label="Events">
        <thead><tr><th>When</th><th>Replica</th><th>State</th><th>Reason</th></tr></thead>
        <tbody>${[...answer.events].reverse().map((event) => html`<tr>
          <td class="number small" title=${fullTime(event.at)}>${time(event.at)}</td>
          <td class="code small">${event.replica ?? "all"}</td>
          <td>${pill(event.state)}</td>
          <td class="small wrap">${event.reason ?? ""}</td>
        </tr>`)}</tbody>
      </table></div>`;
  }
}

define("service-events", ServiceEvents);
