// All services: what is kept running, how well it is, and the hosts that services share.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { domains, services } from "../api/services.js";
import { loadingRows } from "../experiments/list-states.js";
import { count, fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { shortcuts } from "../shell/keyboard.js";
import { addressIn, navigate, route, setQuery } from "../shell/router.js";
import { shareBar } from "./share-bar.js";
import { byTrouble, foldedByModel, isTroubled, readyOf } from "./service-status.js";

const PAGE = 1000;
// More rows than these come on request.
const FIRST = 200;

class ServicesPage extends Piece {
  static properties = { all: { state: true }, unfolded: { state: true } };

  constructor() {
    super();
    this.all = false;
    this.unfolded = new Set();
    this.poll = new Poll(this, async () => {
      const [page, hosts] = await Promise.all([services.list({ limit: PAGE }), domains.list()]);
      return { services: page.items, next: page.next, domains: hosts.items };
    });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Services · Orrery";
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(shortcuts("Services", { n: ["New service", () => navigate("#/documents/service")] }));
  }

  render() {
    const { answer } = this.poll;
    return html`
      <div class="page-head">
        <h1>Services</h1>
        ${answer?.services.length > 0 ? this.totals(answer.services) : nothing}
        <div class="end"><a class="button" href="#/routes">Route table</a><a class="button primary" href="#/documents/service">${icon("add")}New
          service</a></div>
      </div>
      ${answer === null ? this.notYet() : answer.services.length === 0 ? noServices() : this.list(answer)}
      ${answer?.domains.length > 0 ? this.domains(answer.domains) : nothing}
    `;
  }

  notYet() {
    return this.poll.failure ? html`<div class="card state"><p>${this.poll.failure.message}</p></div>` : loadingRows();
  }

  totals(all) {
    const bad = all.filter((service) => isTroubled(service.state.status)).length;
    return html`<span class="soft small number" role="status">${count(all.length)} in all${bad > 0
      ? html` · <span class="bad">${count(bad)} in trouble</span>`
      : nothing}</span>`;
  }

  list({ services: all, next }) {
    const text = route.current.query.get("q") ?? "";
    const wanted = text.toLowerCase();
    const found = all
      .filter((service) => `${service.name} ${service.title ?? ""} ${service.owner} ${service.project}`.toLowerCase().includes(wanted))
      .sort(byTrouble);
    const folded = foldedByModel(found);
    const shown = this.all ? folded : folded.slice(0, FIRST);
    const rows = shown.flatMap(({ service, others }) => {
      const open = others.length > 0 && this.unfolded.has(service.model.name);
      return [{ service, others, open }, ...(open ? others.map((other) => ({ service: other, others: [], below: true })) : [])];
    });
    return html`
      <div class="toolbar filters">
        <label class="search">${icon("search")}<span class="unseen">Search services</span>
          <input type="search" placeholder="Service, owner or project" .value=${text}
            @input=${(event) => setQuery({ q: event.target.value })}></label>
      </div>
      ${found.length === 0
        ? html`<div class="card state"><p>No service fits.</p><button type="button" @click=${() => setQuery({ q: null })}>Show all</button></div>`
        : html`<div class="card flush"><table class="objects" aria-label="Services">
            <thead><tr><th>Name</th><th>Status</th><th class="right">Replicas</th><th>Address</th><th>Cluster</th><th>Owner</th><th>Changed</th></tr></thead>
            <tbody>${repeat(rows, ({ service }) => service.name, (row) => serviceRow(row, () => this.fold(row.service.model.name)))}</tbody>
          </table></div>`}
      ${shown.length < folded.length
        ? html`<p class="more"><button type="button" @click=${() => (this.all = true)}>Show all ${count(folded.length)}</button></p>`
        : nothing}
      ${next ? html`<p class="more soft small">The first ${count(PAGE)} are shown: search with <code>orrery service list -q</code> for others.</p>` : nothing}`;
  }

  /** Shows the other versions of a model, or hides them again. */
  fold(model) {
    const unfolded = new Set(this.unfolded);
    if (!unfolded.delete(model)) {
      unfolded.add(model);
    }
    this.unfolded = unfolded;
  }

  domains(all) {
    return html`<section class="below">
      <h2>Domains</h2>
      <p class="soft small">Hosts that several services share: a new version takes requests over step by step.</p>
      <div class="card flush"><table class="objects" aria-label="Domains">
        <thead><tr><th>Host</th><th>Rollout</th><th>Requests go to</th></tr></thead>
        <tbody>${repeat(all, (domain) => domain.host, domainRow)}</tbody>
      </table></div>
    </section>`;
  }
}

const serviceRow = ({ service, others, below, open }, fold) => {
  const { state } = service;
  return html`<tr data-name=${service.name} class=${below ? "below-model" : ""}>
    <td class="who"><a class="name" href=${addressIn("services", service.name)}>${service.name}</a>
      ${service.title ? html`<span class="faint small">${service.title}</span>` : nothing}
      ${others.length > 0
        ? html`<button type="button" class="small" aria-expanded=${open ? "true" : "false"} @click=${fold}>${others.length} other
          version${others.length > 1 ? "s" : ""} of ${service.model.name}</button>`
        : nothing}
      ${state.reason ? html`<span class="fault clip" title=${state.reason}>${state.reason}</span>` : nothing}</td>
    <td>${pill(state.status)}${service.stages.length > 1 ? html` <span class="faint small">${service.stages.length} stages</span>` : nothing}</td>
    <td class="right number soft" data-label="Replicas">${state.wanted === undefined ? "–" : `${readyOf(state)} of ${state.wanted}`}</td>
    <td class="small clip address" data-label="Address">${state.url ? html`<a href=${state.url} target="_blank" rel="noopener">${hostOf(state.url)}</a>` : "–"}</td>
    <td class="small soft" data-label="Cluster">${state.cluster ?? "–"}</td>
    <td class="small soft" data-label="Owner">${service.owner}<span class="faint"> in ${service.project}</span></td>
    <td class="small soft number" data-label="Changed" title=${fullTime(service.changedAt)}>${time(service.changedAt)}</td>
  </tr>`;
};

const domainRow = (domain) => html`<tr data-host=${domain.host}>
  <td class="who"><a class="name" href=${addressIn("domains", domain.host)}>${domain.host}</a>
    ${domain.rollout.reason ? html`<span class="soft small clip" title=${domain.rollout.reason}>${domain.rollout.reason}</span>` : nothing}</td>
  <td>${pill(domain.rollout.state)}</td>
  <td class="wide">${shareBar(domain.backends)}</td>
</tr>`;

const hostOf = (url) => new URL(url).host;

const noServices = () => html`<div class="card state">
  <h2>No services yet</h2>
  <p>A service is a program that is kept running, restarted when it falls, and reachable under a host of its own. On this machine it needs
    nothing but a command.</p>
  <a class="button primary" href="#/documents/service">${icon("add")}New service</a>
  <p class="small">or from a shell: <code>orrery apply -f examples/services/hello.yml</code></p>
</div>`;

define("services-page", ServicesPage);
