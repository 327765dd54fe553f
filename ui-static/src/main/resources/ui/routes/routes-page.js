// What the serving router routes where, how well its services are, and what goes through them.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { count } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { route, setQuery } from "../shell/router.js";
import { milliseconds, perSecond, share } from "./figures.js";
import { RouteStore } from "./route-store.js";
import { sharesOf, splitOf } from "./split.js";
import { sparkLine } from "./spark-line.js";
import { figures } from "./traffic.js";
import "./service-detail.js";
import "./split-bar.js";

const TYPING_MS = 200;
// More rows than these come on request: they are rarely read, and each is drawn every second.
const FIRST = 200;

class RoutesPage extends Piece {
  static properties = { refusals: { state: true }, all: { state: true } };

  constructor() {
    super();
    /** What was refused last, by host. */
    this.refusals = new Map();
    this.all = false;
    this.search = settled((text) => setQuery({ q: text }), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Route table · Orrery";
    this.store = new RouteStore();
    this.listen(this.store, "change", () => this.requestUpdate());
    this.listen(route, "change", () => this.requestUpdate());
    this.keep(() => (this.store.close(), this.search.cancel()));
    this.store.open();
  }

  async divide(service, shares) {
    const { host } = service.state;
    const refusals = new Map(this.refusals);
    try {
      await this.store.change(host, { split: splitOf(shares) });
      refusals.delete(host);
    } catch (refusal) {
      refusals.set(host, refusal);
      this.querySelectorAll("split-bar").forEach((bar) => bar.reset());
    }
    this.refusals = refusals;
  }

  render() {
    const { services, failure } = this.store;
    return html`
      <div class="page-head"><h1>Route table</h1>${services?.length > 0 ? this.totals(services) : nothing}</div>
      ${failure ? html`<div class="card state"><h2>There is no route table to show</h2><p>${failure.message}</p></div>` : services === null
        ? html`<div class="state" role="status"><span class="spinner"></span><span class="unseen">Loading</span></div>`
        : services.length === 0 ? this.nothingYet() : this.table(services)}`;
  }

  totals(services) {
    const all = services.map((service) => figures(this.store.recent(service)));
    const rate = all.reduce((sum, one) => sum + one.rate, 0);
    const errors = all.reduce((sum, one) => sum + one.errorRate, 0);
    return html`<span class="soft number" role="status">${count(services.length)} service${services.length === 1 ? "" : "s"} ·
      ${perSecond(rate)} requests/s · <span class=${errors > 0 ? "bad" : ""}>${perSecond(errors)} errors/s</span></span>`;
  }

  nothingYet() {
    return html`<div class="card state"><h2>The router has no services yet</h2>
      <p>Put a table in force, and what goes through it appears here:</p>
      <pre class="document">curl -X PUT ${new URL("api/v1/routes", document.baseURI).href} --data-binary '
services:
  - {name: resnet-1, endpoints: ["127.0.0.1:9001"], split: "resnet-2:10%"}
  - {name: resnet-2, endpoints: ["127.0.0.1:9002"]}'</pre></div>`;
  }

  table(services) {
    const { query } = route.current;
    const text = (query.get("q") ?? "").toLowerCase();
    const isTroubled = query.get("trouble") !== null;
    const shown = services.filter(
      (service) => namesOf(service).some((name) => name.toLowerCase().includes(text)) && (!isTroubled || this.trouble(service)),
    );
    const drawn = this.all ? shown : shown.slice(0, FIRST);
    const open = query.get("service");
    return html`
      <div class="toolbar filters">
        <label class="search">${icon("search")}<span class="unseen">Search services</span>
          <input type="search" placeholder="Service or host" .value=${query.get("q") ?? ""}
            @input=${(event) => this.search(event.target.value)}></label>
        <button type="button" aria-pressed=${isTroubled} class="toggle"
          @click=${() => setQuery({ trouble: isTroubled ? null : "1" })}>${icon("warning")}In trouble</button>
      </div>
      ${shown.length === 0
        ? html`<div class="card state"><p>${isTroubled && !text ? "No service is in trouble." : "No service fits."}</p>
          <button type="button" @click=${() => setQuery({ q: null, trouble: null })}>Show all</button></div>`
        : html`<div class="card flush"><ul class="services">
            <li class="head" aria-hidden="true"><span>Service</span><span>Endpoints</span><span>Answered by</span><span>Requests</span><span
              class="right">5xx</span><span class="right">p50</span><span class="right">p99</span></li>
            ${repeat(drawn, (service) => service.state.host, (service) => this.row(service, service.state.host === open))}
          </ul></div>`}
      ${drawn.length < shown.length
        ? html`<p class="more"><button type="button" @click=${() => (this.all = true)}>Show all ${count(shown.length)}</button></p>`
        : nothing}`;
  }

  trouble(service) {
    const { endpoints } = service.state;
    return endpoints.some((one) => !one.healthy) || figures(this.store.recent(service)).errorShare > 0;
  }

  row(service, isOpen) {
    const { host, endpoints } = service.state;
    const { rate, errorShare, p50, p99 } = figures(this.store.recent(service));
    const well = endpoints.filter((one) => one.healthy).length;
    const refusal = this.refusals.get(host);
    const shares = sharesOf(service.split);
    return html`<li class="service ${isOpen ? "open" : ""}" data-host=${host}>
      <div class="line">
        <div class="who">
          <button type="button" class="link name" aria-expanded=${isOpen}
            @click=${() => setQuery({ service: isOpen ? null : host })}>${icon(isOpen ? "down" : "next")}${service.name}</button>
          ${service.stage && service.stage !== "production" ? html`<span class="stage">${service.stage}</span>` : nothing}
          <span class="faint small clip" title=${namesOf(service).slice(1).join("\n")}>${[host, ...(service.hosts ?? [])].join(", ")}</span>
        </div>
        <div class="well ${well < endpoints.length ? "bad" : ""}">
          <span class="dots" aria-hidden="true">${endpoints.slice(0, 12).map((one) => html`<i class="dot ${one.healthy ? "good" : "bad"}"></i>`)}</span>
          <span class="small number">${endpoints.length === 0 ? html`<span class="faint">none</span>` : `${well} of ${endpoints.length} well`}</span>
        </div>
        <div class="division">${shares.length > 0
          ? html`<split-bar owner=${service.name} .shares=${this.sharesFor(service)} @split=${(event) => this.divide(service, event.detail)}></split-bar>`
          : html`<span class="faint small">all to this version</span>`}</div>
        <div class="rate">${sparkLine(this.store.samplesOf(service).map((sample) => figures([sample]).rate))}<span
          class="number">${perSecond(rate)}<span class="faint small">/s</span></span></div>
        <div class="right number ${errorShare > 0 ? "bad" : "soft"}" data-label="5xx">${share(errorShare)}</div>
        <div class="right number soft" data-label="p50">${milliseconds(p50)}</div>
        <div class="right number soft" data-label="p99">${milliseconds(p99)}</div>
      </div>
      ${refusal ? html`<p class="fault" role="alert">${words(refusal)}</p>` : nothing}
      ${isOpen ? html`<service-detail .service=${service} .store=${this.store} .change=${(other) => this.divide(service, other)}></service-detail>` : nothing}
    </li>`;
  }

  /** The same list while the text is the same: what is being dragged stays. */
  sharesFor({ split, state }) {
    this.known ??= new Map();
    const known = this.known.get(state.host);
    if (known?.split === split) {
      return known.shares;
    }
    const shares = sharesOf(split);
    this.known.set(state.host, { split, shares });
    return shares;
  }
}

const namesOf = (service) => [service.name, service.state.host, ...(service.hosts ?? [])];

const words = (refusal) =>
  refusal.errors.length > 0 ? refusal.errors.map((error) => error.message).join(" ") : refusal.message;

define("routes-page", RoutesPage);
