// A host that services share: how its requests are divided, and the rollout that moves them to a new version.
import { html, nothing } from "lit";
import { domains } from "../api/services.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { addressIn } from "../shell/router.js";
import { isUnderWay, rolloutCommands } from "./rollout-commands.js";
import { rolloutSteps } from "./rollout-steps.js";
import { shareBar } from "./share-bar.js";
import "./traffic-section.js";

class DomainPage extends Piece {
  static properties = { host: {}, draft: { state: true }, fault: { state: true } };

  constructor() {
    super();
    /** Shares that were typed and not saved yet, by service. */
    this.draft = null;
    this.fault = null;
    this.poll = new Poll(this, () => domains.get(this.host), { about: () => this.host });
  }

  willUpdate(changed) {
    if (changed.has("host")) {
      this.draft = null;
    }
  }

  async divide(domain) {
    const backends = domain.members
      .map((service) => ({ service, percent: this.percentOf(domain, service) }))
      .filter(({ percent }) => percent > 0);
    try {
      await domains.divide(this.host, backends, domain.shadows);
      this.draft = null;
      this.fault = null;
      this.poll.now();
    } catch (refusal) {
      this.fault = refusal.errors.map((error) => error.message).join(" ") || refusal.message;
    }
  }

  percentOf(domain, service) {
    return this.draft?.get(service) ?? domain.backends.find((one) => one.service === service)?.percent ?? 0;
  }

  type(domain, service, text) {
    this.draft = new Map(domain.members.map((member) => [member, this.percentOf(domain, member)])).set(service, Number(text));
  }

  render() {
    const { answer: domain, failure } = this.poll;
    if (domain === null || failure?.status === 404) {
      return notShown(failure, "domain", this.host, ["#/services", "All services"]);
    }
    document.title = `${domain.host} · Orrery`;
    const { rollout } = domain;
    return html`
      <div class="object-head"><div class="page-head">
        <div class="title"><h1>${domain.host}</h1>${pill(rollout.state)}
          <span class="faint small">${domain.owner} in ${domain.project} · <a href=${domain.url} target="_blank" rel="noopener">${domain.url}</a></span></div>
        <div class="end">${rolloutCommands(
          rollout,
          {
            pause: () => domains.rollout(this.host, "pause"),
            resume: () => domains.rollout(this.host, "resume"),
            promote: () => domains.rollout(this.host, "promote"),
            abort: () => domains.rollout(this.host, "abort"),
          },
          "The services before it get their requests again at once.",
          () => this.poll.now(),
        )}</div>
      </div>
      ${rollout.reason ? html`<p class=${rollout.state === "ROLLED_BACK" ? "trouble" : "reason"} role="status">${rollout.reason}</p>` : nothing}</div>
      <section class="card below">
        <header><h2>Requests go to</h2>${isUnderWay(rollout)
          ? html`<span class="soft small">${rollout.candidate} takes over${rollout.steps > 0 ? `: step ${rollout.step} of ${rollout.steps}` : ""},
              <span title=${fullTime(rollout.since)}>since ${time(rollout.since)}</span></span>`
          : nothing}</header>
        ${shareBar(domain.backends)}
        ${domain.shadows.length > 0
          ? html`<p class="soft small">Copies: ${domain.shadows.map(({ service, percent }) => html`${percent} % to
              <a href=${addressIn("services", service)}>${service}</a> `)}</p>`
          : nothing}
      </section>
      ${rolloutSteps(rollout)}
      <section class="card below">
        <header><h2>Services of this host</h2></header>
        <form @submit=${(event) => (event.preventDefault(), this.divide(domain))}>
          <ul class="shares">${domain.members.map((service) => html`<li>
            <a href=${addressIn("services", service)}>${service}</a>
            <label><span class="unseen">Share of ${service}</span><input type="number" min="0" max="100" step="any" required
              .value=${String(this.percentOf(domain, service))} @input=${(event) => this.type(domain, service, event.target.value)}> %</label>
          </li>`)}</ul>
          <p class="fault" role="alert">${this.fault ?? nothing}</p>
          ${this.draft ? this.save(domain) : nothing}
        </form>
      </section>
      <traffic-section kind="domain" .of=${domain.host}></traffic-section>
    `;
  }

  save(domain) {
    const sum = domain.members.reduce((all, service) => all + this.percentOf(domain, service), 0);
    return html`<div class="toolbar"><button class="primary" ?disabled=${Math.abs(sum - 100) > 1e-6}>${icon("check")}Divide</button>
      <button type="button" @click=${() => ((this.draft = null), (this.fault = null))}>Cancel</button>
      <span class="small ${Math.abs(sum - 100) > 1e-6 ? "bad" : "soft"}">${Number(sum.toFixed(3))} % in all</span></div>`;
  }
}

define("domain-page", DomainPage);
