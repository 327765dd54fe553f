// The model registry: every model with its aliases.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { models } from "../api/models.js";
import { loadingRows } from "../experiments/list-states.js";
import { fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { addressIn, route, setQuery } from "../shell/router.js";

const PAGE = 200;
const SLOW_MS = 10_000;
const TYPING_MS = 200;

class ModelsPage extends Piece {
  constructor() {
    super();
    this.poll = new Poll(this, () => models.list({ q: route.current.query.get("q") ?? "", limit: PAGE }), { pauseMs: SLOW_MS });
    this.search = settled((text) => (setQuery({ q: text }), this.poll.now()), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Models · Orrery";
    this.keep(() => this.search.cancel());
  }

  render() {
    const { answer, failure } = this.poll;
    const text = route.current.query.get("q") ?? "";
    if (answer === null) {
      return html`<div class="page-head"><h1>Models</h1></div>${failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()}`;
    }
    return html`
      <div class="page-head"><h1>Models</h1><div class="end"><a class="button primary" href="#/registration">${icon("add")}Register a
        version</a></div></div>
      ${answer.items.length === 0 && !text ? noModels() : this.list(answer, text)}`;
  }

  list({ items, next }, text) {
    return html`
      <div class="toolbar filters"><label class="search">${icon("search")}<span class="unseen">Search models</span>
        <input type="search" placeholder="Model" .value=${text} @input=${(event) => this.search(event.target.value)}></label></div>
      ${items.length === 0 ? html`<div class="card state"><p>No model fits.</p></div>` : html`<div class="card flush"><table class="objects" aria-label="Models">
        <thead><tr><th>Name</th><th>Aliases</th><th class="right">Latest version</th><th>Owner</th><th>Changed</th></tr></thead>
        <tbody>${repeat(items, (model) => model.name, modelRow)}</tbody></table></div>`}
      ${next ? html`<p class="more soft small">The first ${PAGE} are shown: search for others.</p>` : nothing}`;
  }
}

const modelRow = (model) => html`<tr data-name=${model.name}>
  <td class="who"><a class="name" href=${addressIn("models", model.name)}>${model.name}</a>
    ${model.description ? html`<span class="faint small clip">${model.description}</span>` : nothing}</td>
  <td>${Object.entries(model.aliases).map(([alias, version]) => html`<span class="tag">${alias} → ${version}</span> `)}</td>
  <td class="right number soft" data-label="Latest version">${model.latest ?? "–"}</td>
  <td class="small soft" data-label="Owner">${model.owner}<span class="faint"> in ${model.project}</span></td>
  <td class="small soft number" data-label="Changed" title=${fullTime(model.changedAt)}>${time(model.changedAt)}</td>
</tr>`;

const noModels = () => html`<div class="card state">
  <h2>No models yet</h2>
  <p>A model is a row of versions with files and metrics; an alias such as <code>production</code> names the one in use. Programs that log to
    MLflow appear here as well: set <code>MLFLOW_TRACKING_URI</code> to this server.</p>
  <p class="small">From a shell: <code>orrery model register digits ./model --from-experiment ID</code></p>
</div>`;

define("models-page", ModelsPage);
