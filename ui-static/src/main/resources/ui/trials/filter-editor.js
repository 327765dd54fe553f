// Conditions on any column, edited one a line; each counts as soon as it has a value.
import { html, nothing } from "lit";
import { fullTime, parameter } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { settled } from "../kit/pace.js";
import { Piece, define } from "../kit/piece.js";
import { WAY_WORDS, emptyFilter, filtersOf, inWords, typed, whereOf } from "./filters.js";

const TYPING_MS = 300;
const MINUTES_OF_A_DAY = 16;

class FilterEditor extends Piece {
  /** `fields` are {key, label, kind, ways, options, show}, `where` the conditions as the address has them. */
  static properties = { fields: { attribute: false }, where: { attribute: false }, filters: { state: true } };

  constructor() {
    super();
    this.filters = [];
    this.later = settled(() => this.apply(), TYPING_MS);
  }

  connectedCallback() {
    super.connectedCallback();
    this.keep(() => this.later.cancel());
  }

  willUpdate(changed) {
    // Only another address: while it stays, other parts need not know what is being typed.
    if (changed.has("where") && String(this.where) !== this.seen) {
      this.seen = String(this.where);
      if (String(whereOf(this.filters)) !== this.seen) {
        this.filters = filtersOf(this.where);
      }
    }
  }

  apply() {
    this.tell("where", whereOf(this.filters));
  }

  change(at, patch, when = this.apply) {
    this.filters = this.filters.map((filter, n) => (n === at ? { ...filter, ...patch } : filter));
    when.call(this);
  }

  add() {
    const used = new Set(this.filters.map((filter) => filter.field));
    const field = this.fields.find(({ key }) => key === "metric" && !used.has(key)) ?? this.fields.find(({ key }) => !used.has(key)) ?? this.fields[0];
    this.filters = [...this.filters, emptyFilter(field)];
    this.updateComplete.then(() => this.querySelector("li:last-of-type select")?.focus());
  }

  remove(at) {
    this.filters = this.filters.filter((_, n) => n !== at);
    this.apply();
  }

  fieldOf(filter) {
    return (
      this.fields.find(({ key }) => key === filter.field) ?? { key: filter.field, label: filter.field, kind: "number", ways: ["between", "is", "not"], show: parameter }
    );
  }

  render() {
    const set = this.filters.map((filter, at) => [filter, at]).filter(([filter]) => whereOf([filter]).length > 0);
    return html`
      <details class="menu left conditions">
        <summary class="button" title="Filters" aria-label="Filters" role="button">${icon("filter")}Filters${set.length > 0 ? html` <span
          class="badge">${set.length}</span>` : nothing}</summary>
        <div class="list">
          ${this.filters.length === 0 ? html`<p class="faint small">Keep only trials whose values lie where you say.</p>` : nothing}
          <ul>${this.filters.map((filter, at) => this.line(filter, at))}</ul>
          <footer><button type="button" class="small add" @click=${this.add}>${icon("add")}Add a filter</button></footer>
        </div>
      </details>
      ${set.length === 0 ? nothing : html`<div class="chips">${set.map(
        ([filter, at]) => html`<span class="chip"><span class="clip">${this.fieldOf(filter).label} <b>${inWords(filter, this.fieldOf(filter))}</b></span><button
          type="button" aria-label="Take the filter on ${this.fieldOf(filter).label} away" @click=${() => this.remove(at)}>${icon("close")}</button></span>`,
      )}</div>`}
    `;
  }

  line(filter, at) {
    const field = this.fieldOf(filter);
    const groups = Map.groupBy(this.fields, ({ group }) => group ?? "");
    const option = ({ key, label }) => html`<option value=${key} ?selected=${key === filter.field}>${label}</option>`;
    return html`<li>
      <select aria-label="Field" @change=${(event) => this.change(at, emptyFilter(this.fields.find(({ key }) => key === event.target.value)))}>
        ${[...groups].map(([group, fields]) => (group ? html`<optgroup label=${group}>${fields.map(option)}</optgroup>` : fields.map(option)))}
      </select>
      ${field.ways.length > 1
        ? html`<select aria-label="How" @change=${(event) => this.change(at, { way: event.target.value })}>
            ${field.ways.map((way) => html`<option value=${way} ?selected=${way === filter.way}>${WAY_WORDS[way]}</option>`)}
          </select>`
        : html`<span class="soft small">${WAY_WORDS[filter.way]}</span>`}
      <span class="values ${field.kind}">${this.values(field, filter, at)}</span>
      <button type="button" class="plain small square" aria-label="Remove this filter" @click=${() => this.remove(at)}>${icon("close")}</button>
    </li>`;
  }

  values(field, filter, at) {
    if (filter.way === "between") {
      return html`${this.end(field, filter, at, "from", "at least")}<span class="faint">–</span>${this.end(field, filter, at, "to", "at most")}`;
    }
    if (field.options) {
      const turn = (value, isOn) => this.change(at, { values: isOn ? [...filter.values, value] : filter.values.filter((other) => other !== value) });
      return html`<span class="options">${field.options.map(
        (value) => html`<label><input type="checkbox" .checked=${filter.values.includes(value)}
          @change=${(event) => turn(value, event.target.checked)}>${field.show(value)}</label>`,
      )}</span>`;
    }
    return html`<input aria-label="Value" .value=${String(filter.values[0] ?? "")}
      @input=${(event) => this.change(at, { values: event.target.value === "" ? [] : [typed(event.target.value)] }, this.later)}>`;
  }

  end(field, filter, at, end, label) {
    const sign = end === "from" ? { fromSign: ">=" } : { toSign: "<=" };
    if (field.kind === "time") {
      return html`<input type="datetime-local" aria-label=${label} .value=${local(filter[end])}
        @change=${(event) => this.change(at, { [end]: event.target.value && new Date(event.target.value).toISOString(), ...sign })}>`;
    }
    const isWrong = filter[end] !== "" && !Number.isFinite(Number(filter[end]));
    return html`<input inputmode="decimal" aria-label=${label} placeholder=${label} aria-invalid=${isWrong} .value=${filter[end]}
      @input=${(event) => this.number(at, end, event.target.value.trim(), sign)}>`;
  }

  /** What is no number yet stays in its field until it is one. */
  number(at, end, text, sign) {
    const isNumber = text === "" || Number.isFinite(Number(text));
    this.change(at, { [end]: text, ...sign }, isNumber ? this.later : this.later.cancel);
  }
}

/** An instant as the field for times wants it: local, to the minute. */
function local(text) {
  if (!text) {
    return "";
  }
  const at = new Date(text);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, MINUTES_OF_A_DAY);
}

/** How an instant reads in a chip. */
export const showTime = (text) => fullTime(text) || text;

define("filter-editor", FilterEditor);
