// One service: how well each stage is and why, its log, what happened to it, its document.
import { html, nothing } from "lit";
import { services } from "../api/services.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { addressIn, navigate, route, setQuery } from "../shell/router.js";
import { documentText } from "../documents/document-text.js";
import { commandButtons, remove } from "./service-commands.js";
import { stageOverview } from "./stage-overview.js";
import "./service-events.js";
import "./service-log.js";
import "./service-terminal.js";
import "./traffic-section.js";

const TABS = [
  ["overview", "Overview"],
  ["log", "Log"],
  ["terminal", "Terminal"],
  ["events", "Events"],
  ["document", "Document"],
];

class ServicePage extends Piece {
  static properties = { name: {}, tab: {} };

  constructor() {
    super();
    this.poll = new Poll(this, () => services.get(this.name), { about: () => this.name });
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(route, "change", () => this.requestUpdate());
  }

  render() {
    const { answer: service, failure } = this.poll;
    if (service === null || failure?.status === 404) {
      return notShown(failure, "service", this.name, ["#/services", "All services"]);
    }
    document.title = `${service.name} · Orrery`;
    const wanted = route.current.query.get("stage");
    const stage = service.stages.find((one) => one.stage === wanted) ?? service.state;
    return html`
      <div class="object-head">
        <div class="page-head">
          <div class="title"><h1>${service.name}</h1>${pill(stage.status)}
            <span class="faint small">${service.title ? `${service.title} · ` : ""}${service.owner} in ${service.project} ·
              <span title=${fullTime(service.changedAt)}>changed ${time(service.changedAt)}</span></span></div>
          <div class="end">
            ${commandButtons(service, stage, () => this.poll.now())}
            <a class="button" href="#/documents/service/change?name=${encodeURIComponent(service.name)}">${icon("fork")}Change</a>
            <button type="button" class="danger" @click=${() => this.erase(service)}>${icon("trash")}Delete</button>
          </div>
        </div>
        ${stage.reason ? html`<p class="trouble" role="alert">${stage.reason}</p>` : nothing}
        ${service.stages.length > 1 ? this.stages(service, stage) : nothing}
        <nav class="tabs" aria-label="Service">
          ${TABS.map(([tab, label]) => html`<a href=${addressIn("services", service.name, tab === "overview" ? "" : tab) + (wanted ? `?stage=${wanted}` : "")}
            aria-current=${tab === this.tab ? "page" : "false"}>${label}</a>`)}
        </nav>
      </div>
      ${this.view(service, stage)}
    `;
  }

  stages(service, shown) {
    return html`<div class="switch" role="group" aria-label="Stage">${service.stages.map(
      ({ stage }) => html`<button type="button" aria-pressed=${stage === shown.stage} @click=${() => setQuery({ stage })}>${stage}</button>`,
    )}</div>`;
  }

  view(service, stage) {
    switch (this.tab) {
      case "log":
        return html`<service-log class="card" .service=${service.name} .stage=${stage}></service-log>`;
      case "terminal":
        return html`<service-terminal class="card flush" .service=${service.name} .stage=${stage}></service-terminal>`;
      case "events":
        return html`<service-events .service=${service.name} .stage=${stage.stage}></service-events>`;
      case "document":
        return html`<div class="card"><pre class="document" tabindex="0" role="region" aria-label="The document of the service">${documentText(service)}</pre></div>`;
      default:
        return html`${stageOverview(service, stage, () => this.poll.now())}${stage.stage === "production"
          ? html`<traffic-section kind="service" .of=${service.name}></traffic-section>`
          : nothing}`;
    }
  }

  async erase(service) {
    if (await remove(service)) {
      navigate("#/services");
    }
  }
}

define("service-page", ServicePage);
