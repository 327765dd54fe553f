// The content of an output: charts of a metric, a table, an image, HTML in a frame that can do nothing, or text.
import { html, nothing } from "lit";
import { runs } from "../api/pipelines.js";
import { number } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { contentOf, seriesOf } from "./result.js";
import "../charts/curves-chart.js";

/** Larger ones are for a download. */
export const MOST_BYTES = 5e6;
const MOST_ROWS = 100;
const MOST_COLUMNS = 30;
const MOST_TEXT = 50_000;

class OutputView extends Piece {
  static properties = { run: {}, step: {}, name: {}, digest: {}, content: { state: true }, failure: { state: true } };

  constructor() {
    super();
    /** What result.js says of the content, with the address of an image; null before it is there. */
    this.content = null;
    this.failure = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.forget());
  }

  get key() {
    return `${this.run} ${this.step} ${this.name} ${this.digest}`;
  }

  willUpdate(changed) {
    if (["run", "step", "name", "digest"].some((one) => changed.has(one))) {
      this.load();
    }
  }

  forget() {
    if (this.content?.address) {
      URL.revokeObjectURL(this.content.address);
    }
    this.content = null;
    this.failure = null;
  }

  async load() {
    this.forget();
    const { key } = this;
    try {
      const bytes = await runs.artifact(this.run, this.step, this.name, MOST_BYTES);
      if (key !== this.key || !this.isConnected) {
        return;
      }
      const content = contentOf(bytes);
      this.content = content.image ? { ...content, address: URL.createObjectURL(new Blob([bytes], { type: content.image })) } : content;
    } catch (refusal) {
      if (key === this.key) {
        this.failure = refusal;
      }
    }
  }

  render() {
    const { content } = this;
    if (this.failure) {
      return html`<p class="fault">${this.failure.message}</p>`;
    }
    if (content === null) {
      return html`<p><span class="spinner"></span></p>`;
    }
    if (content.image) {
      return html`<img src=${content.address} alt=${`Output ${this.name}`} class="preview">`;
    }
    if (content.html) {
      return html`<iframe class="page-of-output" title=${`Output ${this.name}`} sandbox="" referrerpolicy="no-referrer"
        src=${runs.artifactAddress(this.run, this.step, this.name, { as: "PAGE" })}></iframe>`;
    }
    if (content.columns) {
      const series = this.name === "metric" ? seriesOf(content) : [];
      return series.length > 0 ? html`<div class="stack">${series.map(chart)}</div>` : table(this.name, content);
    }
    return content.text === undefined
      ? html`<p class="soft small">It is no text and no image: download it.</p>`
      : html`<pre class="document" tabindex="0" role="region" aria-label=${`Output ${this.name}`}>${content.text.slice(0, MOST_TEXT)}${content.text.length > MOST_TEXT ? "…" : ""}</pre>`;
  }
}

/** One number is no line. */
const chart = ({ name, across, points }) => html`<div data-series=${name}>
  <h4>${name} <span class="soft">${number(points.at(-1)[1])}</span></h4>
  ${points.length < 2 ? nothing : html`<curves-chart size="low" .across=${across} .says=${`${name} over ${across}`}
    .curves=${[{ trial: name, label: name, points }]}></curves-chart>`}</div>`;

const table = (name, { columns, rows }) => html`<div class="scroll"><table class="objects" aria-label=${`Output ${name}`}>
  <thead><tr>${columns.slice(0, MOST_COLUMNS).map((column) => html`<th>${column}</th>`)}</tr></thead>
  <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${columns.slice(0, MOST_COLUMNS).map((_, at) => html`<td class="small">${cell(row[at])}</td>`)}</tr>`)}</tbody>
</table></div>${rows.length > MOST_ROWS ? html`<p class="faint small">The first ${MOST_ROWS} rows are shown.</p>` : nothing}`;

const cell = (value) => (value === null || value === undefined ? "" : typeof value === "number" ? number(value) : typeof value === "string" ? value : JSON.stringify(value));

define("output-view", OutputView);
