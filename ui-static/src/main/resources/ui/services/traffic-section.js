// The last hour of a service or a domain, as the router saw it, and what its shadows make of the same requests.
import { html, nothing } from "lit";
import { domains, services } from "../api/services.js";
import { count, fullTime, time } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { milliseconds, share } from "../routes/figures.js";
import { addressIn } from "../shell/router.js";
import { legendOf } from "./traffic-chart.js";

const PAUSE_MS = 5000;
const KINDS = ["rate", "errors", "p50", "p99"];

class TrafficSection extends Piece {
  /** `of` is the name of a service or the host of a domain; `kind` is service or domain. */
  static properties = { of: {}, kind: {} };

  constructor() {
    super();
    this.poll = new Poll(
      this,
      async () => {
        const api = this.kind === "domain" ? domains : services;
        const [traffic, shadows] = await Promise.all([api.traffic(this.of), api.shadows(this.of)]);
        return { traffic, shadows: shadows.items };
      },
      { pauseMs: PAUSE_MS, about: () => `${this.kind} ${this.of}` },
    );
  }

  render() {
    const { answer } = this.poll;
    // Without a router here there is nothing to show, and nothing wrong with the service.
    if (answer === null) {
      return nothing;
    }
    const { traffic, shadows } = answer;
    return html`
      <section class="card" aria-label="Traffic">
        <header><h2>Last hour</h2>${traffic.items.length > 0 ? legendOf(traffic) : nothing}</header>
        ${traffic.items.length > 0
          ? html`<div class="curves">${KINDS.map((kind) => html`<traffic-chart kind=${kind} .traffic=${traffic}></traffic-chart>`)}</div>`
          : html`<p class="soft small">No request in the last hour. A curve begins with the first one, after ${traffic.stepSeconds} seconds.</p>`}
      </section>
      ${shadows.map((shadow) => report(shadow))}`;
  }
}

const report = (shadow) => html`<section class="card" aria-label="Shadow ${shadow.shadow}">
  <header><h2>Shadow <a href=${addressIn("services", shadow.shadow)}>${shadow.shadow}</a></h2>
    <span class="soft small number">${count(shadow.sent)} copies answered${shadow.failed > 0 ? `, ${count(shadow.failed)} failed` : ""}${
      shadow.dropped > 0 ? `, ${count(shadow.dropped)} dropped` : ""}</span></header>
  <dl class="figures">
    ${figure("Another status", part(shadow.otherStatus, shadow.sent), shadow.otherStatus > 0)}
    ${figure("Another body", part(shadow.otherBody, shadow.sent), shadow.otherBody > 0)}
    ${figure("p50, clients / shadow", `${milliseconds(shadow.p50)} / ${milliseconds(shadow.shadowP50)}`)}
    ${figure("p99, clients / shadow", `${milliseconds(shadow.p99)} / ${milliseconds(shadow.shadowP99)}`)}
  </dl>
  ${shadow.differences.length === 0
    ? html`<p class="soft small">No answer has differed.</p>`
    : html`<div class="scroll-box"><table class="objects" aria-label="Differences of ${shadow.shadow}">
        <thead><tr><th>When</th><th>Request</th><th>Differs</th><th>Clients got</th><th>The shadow says</th></tr></thead>
        <tbody>${shadow.differences.flatMap((one) => placesOf(one).map((place, at) => html`<tr>
          <td class="number small" title=${fullTime(one.at)}>${at === 0 ? time(one.at) : nothing}</td>
          <td class="code small">${at === 0 ? one.request : nothing}</td>
          <td class="small">${place.where}</td><td class="code small wrap">${place.told}</td><td class="code small wrap">${place.said}</td>
        </tr>`))}</tbody></table></div>`}
</section>`;

const figure = (name, value, isBad = false) => html`<div><dt class="soft small">${name}</dt><dd class="number ${isBad ? "bad" : ""}">${value}</dd></div>`;

const part = (others, answered) => `${count(others)} (${share(answered > 0 ? others / answered : 0)})`;

/** A line for each place at which two answers differ. */
export function placesOf({ kind, status, shadowStatus, millis, shadowMillis, bytes, shadowBytes, body }) {
  if (kind === "status") {
    return [{ where: "status", told: status, said: shadowStatus }];
  }
  if (kind === "time") {
    return [{ where: "time", told: milliseconds(millis), said: milliseconds(shadowMillis) }];
  }
  if (body === null) {
    return [{ where: "body", told: `${count(bytes)} bytes`, said: `${count(shadowBytes)} bytes` }];
  }
  return body.places.length > 0
    ? body.places.map(({ pointer, value, shadowValue }) => ({ where: pointer === "" ? "body" : pointer, told: value ?? "nothing", said: shadowValue ?? "nothing" }))
    : [{ where: `from byte ${count(body.at)}`, told: body.text, said: body.shadowText }];
}

define("traffic-section", TrafficSection);
