// One service whole: its curves, how it is divided, its endpoints, and what its shadows make of it.
import { html, nothing } from "lit";
import { count } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { milliseconds, perSecond, share } from "./figures.js";
import { restOf, rounded, sharesOf } from "./split.js";
import { figures, timesOfCopies } from "./traffic.js";
import "./service-chart.js";

class ServiceDetail extends Piece {
  /** `change` takes the new shares of its split. */
  static properties = { service: { attribute: false }, store: { attribute: false }, change: { attribute: false }, tick: {} };

  render() {
    const { service, store } = this;
    const samples = store.samplesOf(service);
    return html`
      <div class="charts">
        <section><service-chart kind="rate" .samples=${samples}></service-chart></section>
        <section><service-chart kind="times" .samples=${samples}></service-chart></section>
      </div>
      <div class="charts">
        <section>${this.division(service, samples)}</section>
        <section>${this.endpoints(service.state.endpoints)}</section>
      </div>
      ${service.state.copies.length > 0 ? this.copies(service) : nothing}`;
  }

  division(service) {
    const shares = sharesOf(service.split);
    const recent = this.store.recent(service);
    const set = (at, percent) => this.change(shares.map((one, n) => (n === at ? { ...one, percent } : one)));
    const others = this.store.services.filter((one) => one.name !== service.name && !shares.some((taken) => taken.service === one.name));
    return html`<header><h3>Who answers</h3></header>
      <table class="compact">
        <thead><tr><th>Version</th><th class="right">Share</th><th class="right">Requests</th><th class="right">5xx</th><th
          class="right">p50</th><th class="right">p99</th><th><span class="unseen">Actions</span></th></tr></thead>
        <tbody>
          ${this.version(service.name, idOf(service), html`${restOf(shares)} %`, recent, nothing)}
          ${shares.map((one, at) => this.version(
            one.service,
            this.idOfTarget(service, one.service),
            html`<input inputmode="decimal" aria-label="Share of ${one.service}" .value=${String(one.percent)}
              @change=${(event) => this.typed(event, one.percent, (percent) => set(at, percent))}> %`,
            recent,
            html`<button type="button" class="plain small square" aria-label="Give ${one.service} nothing any more"
              @click=${() => this.change(shares.filter((_, n) => n !== at))}>${icon("close")}</button>`,
          ))}
        </tbody>
      </table>
      ${others.length > 0 ? html`<p class="below"><select aria-label="Give a share to" @change=${(event) => {
        const name = event.target.value;
        event.target.value = "";
        this.change([...shares, { service: name, percent: 0 }]);
      }}><option value="">Give a share to…</option>${others.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></p>` : nothing}`;
  }

  /** What is no number is not sent. */
  typed(event, before, then) {
    const percent = Number(event.target.value.replace("%", "").trim());
    if (event.target.value.trim() !== "" && Number.isFinite(percent)) {
      then(rounded(percent));
    } else {
      event.target.value = String(before);
    }
  }

  /** A name means the same stage, where that has one. */
  idOfTarget(service, name) {
    const same = idOf(service).slice(0, -service.name.length) + name;
    return this.store.services.some((one) => idOf(one) === same) ? same : name;
  }

  version(name, id, part, recent, action) {
    const { rate, errorShare, p50, p99 } = figures(recent, id);
    return html`<tr><td class="wide"><span class="clip">${name}</span></td><td class="right number share">${part}</td>
      <td class="right number">${perSecond(rate)}/s</td><td class="right number ${errorShare > 0 ? "bad" : ""}">${share(errorShare)}</td>
      <td class="right number">${milliseconds(p50)}</td><td class="right number">${milliseconds(p99)}</td><td>${action}</td></tr>`;
  }

  endpoints(endpoints) {
    return html`<header><h3>Endpoints</h3></header>
      ${endpoints.length === 0
        ? html`<p class="faint small">It has none of its own: what it does not give away is answered with 503.</p>`
        : html`<div class="scroll-box"><table class="compact">
          <thead><tr><th>Address</th><th>State</th><th class="right">Works on</th></tr></thead>
          <tbody>${endpoints.map(
            (one) => html`<tr><td class="code wide"><span class="clip">${one.address}</span></td>
              <td><span class="pill ${one.healthy ? "good" : "bad"}">${stateOf(one)}</span></td>
              <td class="right number">${count(one.outstanding)}</td></tr>`,
          )}</tbody></table></div>`}`;
  }

  copies(service) {
    const recent = this.store.recent(service);
    const primary = figures(recent);
    const compared = (service.compareBodies ?? []).map((name) => this.idOfTarget(service, name));
    return html`<section><header><h3>Shadows</h3><span class="legend">each against the answers that clients got in the last ten seconds</span></header>
      <div class="scroll-box"><table class="compact">
        <thead><tr><th>Shadow</th><th class="right">Copies</th><th class="right">Dropped</th><th class="right">Failed</th><th
          class="right">Other status</th><th class="right">Other body</th><th class="right">p50</th><th class="right">p99</th></tr></thead>
        <tbody>${service.state.copies.map((one) => {
          const { p50, p99 } = timesOfCopies(recent, one.version);
          return html`<tr><td class="wide"><span class="clip">${one.version}</span></td><td class="right number">${count(one.sent)}</td>
            <td class="right number ${one.dropped > 0 ? "warn" : ""}">${count(one.dropped)}</td>
            <td class="right number ${one.failed > 0 ? "bad" : ""}">${count(one.failed)}</td>
            ${part(one.divergences, one.sent)}
            ${compared.includes(one.version) ? part(one.bodyDivergences, one.sent) : html`<td class="right faint">not compared</td>`}
            <td class="right number">${against(p50, primary.p50)}</td><td class="right number">${against(p99, primary.p99)}</td></tr>`;
        })}</tbody></table></div></section>`;
  }
}

/** How many of the answers of a shadow are not those of the client. */
const part = (others, answered) => html`<td class="right number ${others > 0 ? "bad" : ""}"
  title="${count(others)} of ${count(answered)}">${share(answered > 0 ? others / answered : 0)}</td>`;

/** What the router's numbers call it: its name, with its stage. */
const idOf = ({ state }) => state.host.slice(0, state.host.indexOf(".service."));

const stateOf = (endpoint) => (endpoint.healthy ? "Well" : endpoint.ejected ? "Left out" : endpoint.answersProbes ? "Not used" : "Does not answer");

/** A shadow's time beside that of the answers: 12 ms × 1.4 */
function against(ms, primary) {
  if (ms === null || primary === null || primary === 0) {
    return milliseconds(ms);
  }
  return html`${milliseconds(ms)} <span class="faint">× ${(ms / primary).toFixed(1)}</span>`;
}

define("service-detail", ServiceDetail);
