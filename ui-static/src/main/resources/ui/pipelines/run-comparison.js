// Two runs side by side: parameters, metrics, durations, artifacts, and the curves of their metrics.
import { html, nothing } from "lit";
import { runs } from "../api/pipelines.js";
import { duration, number, parameter, time } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { addressIn, route, setQuery } from "../shell/router.js";
import { contentOf, seriesOf } from "./result.js";
import { MOST_BYTES } from "./output-view.js";
import "../charts/curves-chart.js";

const MOST_RUNS = 100;
const MOST_CURVES = 12;
const DIGEST = 19;

const GROUPS = [
  ["Run", ["run"]],
  ["Parameters", ["parameter"]],
  ["Metrics", ["metric"]],
  ["Durations", ["duration"]],
  ["Artifacts and values", ["artifact", "value"]],
  ["Statuses", ["status"]],
];

class RunComparison extends Piece {
  static properties = { run: { attribute: false }, others: { state: true }, comparison: { state: true }, curves: { state: true }, failure: { state: true }, showsAll: { state: true } };

  constructor() {
    super();
    this.others = null;
    this.comparison = null;
    this.curves = [];
    this.showsAll = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(route, "change", () => this.load());
  }

  willUpdate(changed) {
    // A run that goes on changes what is compared.
    if (changed.has("run") && changed.get("run")?.status !== this.run.status) {
      this.load();
    }
  }

  get other() {
    return route.current.query.get("with") ?? this.others?.[0]?.id ?? null;
  }

  async load() {
    try {
      if (this.others === null) {
        const { items } = await runs.list({ pipeline: this.run.pipeline, limit: MOST_RUNS });
        this.others = items.filter((one) => one.id !== this.run.id);
      }
      const { other } = this;
      if (other === null || (other === this.shown && this.run.status === this.shownStatus)) {
        return;
      }
      const comparison = await runs.compare(this.run.id, other);
      if (other === this.other) {
        this.shown = other;
        this.shownStatus = this.run.status;
        this.comparison = comparison;
        this.failure = null;
        this.curves = [];
        this.curves = await curvesOf(this.run.id, other, comparison);
      }
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    const { others, comparison } = this;
    if (this.failure) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    if (others === null) {
      return html`<div class="card"><span class="bone w60"></span></div>`;
    }
    if (this.other === null) {
      return html`<div class="card state"><p>The pipeline ${this.run.pipeline} has no other run.</p></div>`;
    }
    const lines = comparison?.lines ?? [];
    const shown = this.showsAll ? lines : lines.filter((line) => !line.same);
    return html`
      <div class="toolbar filters">
        <label class="small">With <select aria-label="Run to compare with" @change=${(event) => setQuery({ with: event.target.value })}>
          ${[...(others.some((one) => one.id === this.other) ? [] : [{ id: this.other }]), ...others].map(
            (one) => html`<option value=${one.id} ?selected=${one.id === this.other}>${one.id}${one.status ? `, ${one.status.toLowerCase()}, ${time(one.startedAt ?? one.createdAt)}` : ""}</option>`,
          )}</select></label>
        <label class="small"><input type="checkbox" .checked=${this.showsAll} @change=${(event) => (this.showsAll = event.target.checked)}> What is the same too</label>
      </div>
      ${comparison === null
        ? html`<div class="card"><span class="bone w60"></span></div>`
        : html`${this.curves.length === 0 ? nothing : html`<section class="card below"><header><h2>Curves</h2></header><div class="pair-of-charts">${this.curves.map(curve)}</div></section>`}
          ${shown.length === 0 ? html`<div class="card state"><p>The two runs do not differ.</p></div>` : html`<div class="card flush"><table class="objects" aria-label="Comparison">
            <thead><tr><th>What</th><th>${this.run.id}</th><th><a class="code" href=${addressIn("runs", this.other)}>${this.other}</a></th><th class="right">Change</th></tr></thead>
            ${GROUPS.map(([title, kinds]) => group(title, shown.filter((line) => kinds.includes(line.kind))))}</table></div>`}`}
    `;
  }
}

const group = (title, lines) => lines.length === 0 ? nothing : html`<tbody data-group=${title}><tr><th colspan="4" scope="rowgroup" class="soft small">${title}</th></tr>
  ${lines.map((line) => html`<tr data-line=${nameOf(line)}>
    <td class="small">${line.step ? html`<b>${line.step}</b> ` : nothing}${line.name.replace(/^(parameters|outputs)\./, "")}</td>
    <td class="small number wrap" data-label="This run">${cell(line, line.left)}</td>
    <td class="small number wrap" data-label="The other">${cell(line, line.right)}</td>
    <td class="right small number soft" data-label="Change">${change(line)}</td></tr>`)}</tbody>`;

const nameOf = (line) => (line.step ? `${line.step} ${line.name}` : line.name);

function cell(line, value) {
  if (value === null) {
    return "–";
  }
  switch (line.kind) {
    case "duration":
      return duration(value);
    case "artifact":
      return html`<span class="code" title=${value}>${value.slice(0, DIGEST)}</span>`;
    default:
      return parameter(value);
  }
}

function change(line) {
  if (line.change === null || line.change === 0) {
    return line.kind === "artifact" && !line.same ? "differs" : "";
  }
  const size = Math.abs(line.change);
  return `${line.change > 0 ? "+" : "−"}${line.kind === "duration" ? duration(size) : number(size)}`;
}

const curve = ({ name, across, left, right }) => html`<div data-series=${name}><h4>${name}</h4>
  <curves-chart size="low" .across=${across} .says=${`${name} of both runs`} .curves=${[left, right]}></curves-chart></div>`;

/** The lines of the outputs `metric` that both runs have, one chart for each number. */
async function curvesOf(left, right, comparison) {
  const both = comparison.lines.filter((line) => line.kind === "artifact" && line.name === "outputs.metric" && line.left !== null && line.right !== null);
  const found = await Promise.all(both.slice(0, MOST_CURVES).map(async ({ step }) => {
    const [one, other] = await Promise.all([left, right].map((run) => linesOf(run, step)));
    return one.flatMap(({ name, across, points }) => {
      const match = other.find((line) => line.name === name);
      return match ? [{ name: `${step} ${name}`, across, left: { trial: left, label: left, points }, right: { trial: right, label: right, points: match.points } }] : [];
    });
  }));
  return found.flat().slice(0, MOST_CURVES);
}

const linesOf = (run, step) =>
  runs.artifact(run, step, "metric", MOST_BYTES).then(
    (bytes) => seriesOf(contentOf(bytes)),
    () => [],
  );

define("run-comparison", RunComparison);
