// Which parameters make good trials: parallel coordinates, and the trials that a brush keeps.
import { html, nothing } from "lit";
import { trials } from "../api.js";
import { count, number, parameter } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { menu } from "../kit/menu.js";
import { Piece, define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { addressOf, navigate, setQuery } from "../shell/router.js";
import { metricChoice } from "./metric-choice.js";
import { pointOf } from "./points.js";
import "../charts/importance-bars.js";
import "../charts/parallel-chart.js";

const SHARES = [100, 20, 5, 1];
const MOST_LISTED = 50;
const MOST_BEST = 1000;

class ParametersTab extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    share: { state: true },
    axes: { state: true },
    kept: { state: true },
    best: { state: true },
  };

  constructor() {
    super();
    this.share = 100;
    this.order = [];
    this.left = new Set();
    this.kept = null;
    this.best = null;
  }

  connectedCallback() {
    super.connectedCallback();
    const { order, left } = recall(`axes.${this.store.id}`, { order: [], left: [] });
    this.order = order;
    this.left = new Set(left);
    this.arrange();
    this.listen(this.store, "points", () => this.renew());
    this.listen(this.store, "experiment", () => this.requestUpdate());
    this.listen(this.store, "metric", () => this.choose(this.share));
    this.renew();
  }

  renew() {
    const names = this.store.points?.parameterNames ?? [];
    if (names.some((name) => !this.order.includes(name))) {
      this.order = [...this.order, ...names.filter((name) => !this.order.includes(name))];
      this.arrange();
    }
    this.rows = this.chosen();
    this.requestUpdate();
  }

  arrange() {
    this.axes = this.order.filter((name) => !this.left.has(name));
  }

  chosen() {
    const { points } = this.store;
    if (!points || this.share === 100) {
      return points?.rows ?? [];
    }
    if (this.best) {
      return this.best;
    }
    const ranked = points.ranked(this.store.isHighGood);
    return ranked.slice(0, Math.max(1, Math.ceil((ranked.length * this.share) / 100)));
  }

  /** Of a sample the best few per cent would be too few: the server sends them in full. */
  async choose(share) {
    this.share = share;
    this.best = null;
    this.kept = null;
    const { points } = this.store;
    if (share < 100 && points?.isSample) {
      const limit = Math.min(MOST_BEST, Math.ceil((points.total * share) / 100));
      const { key } = this.store.metric;
      const page = await trials.list(this.store.id, { ...this.store.bestFirst(), limit }).catch(() => ({ items: [] }));
      if (this.share === share && this.store.metric.key === key) {
        this.best = page.items.map((trial) => pointOf(trial, key));
      }
    }
    this.renew();
  }

  /** @param axes those that are shown, in their new order; the others keep their places */
  reorder(axes) {
    const next = axes.values();
    this.order = this.order.map((name) => (axes.includes(name) ? next.next().value : name));
    this.keepAxes();
  }

  move(name, by) {
    const at = this.order.indexOf(name);
    const order = this.order.filter((other) => other !== name);
    order.splice(Math.max(0, at + by), 0, name);
    this.order = order;
    this.keepAxes();
  }

  show(name, isShown) {
    this.left = new Set(this.left);
    if (isShown) {
      this.left.delete(name);
    } else {
      this.left.add(name);
    }
    this.keepAxes();
  }

  keepAxes() {
    remember(`axes.${this.store.id}`, { order: this.order, left: [...this.left] });
    this.arrange();
  }

  render() {
    const { points, experiment } = this.store;
    return html`<div class="stack">
      <section class="card">
        <header>
          <h2>Parameters and metric</h2>
          <span class="legend">worse <i class="ramp"></i> better</span>
          <div class="end">
            ${this.kept ? html`<button type="button" class="small"
              @click=${() => this.querySelector("parallel-chart").clear()}>${icon("close")}Clear the brush</button>` : nothing}
            ${metricChoice(this.store)}
            <div class="switch" role="group" aria-label="Which trials">
              ${SHARES.map((share) => html`<button type="button" aria-pressed=${share === this.share}
                @click=${() => this.choose(share)}>${share === 100 ? "All" : `Best ${share} %`}</button>`)}
            </div>
            ${this.axisMenu()}
          </div>
        </header>
        <parallel-chart .rows=${this.rows ?? []} .axes=${this.axes ?? []} .space=${experiment.config?.searchSpace}
          .isMaximized=${this.store.isHighGood} metric=${this.store.metric.key === "default" ? "metric" : this.store.metric.key}
          @order=${(event) => this.reorder(event.detail)} @brush=${(event) => (this.kept = event.detail)} @trial=${(event) => setQuery({ trial: event.detail })}></parallel-chart>
        <p class="faint small">Drag along an axis to keep the trials that pass there, on several axes if you like; drag a name to put its axis elsewhere.
          ${points?.isSample ? `${count((this.rows ?? []).length)} of ${count(points.total)} trials drawn.` : ""}</p>
      </section>
      ${this.kept ? this.list() : nothing}
      <section class="card"><importance-bars .store=${this.store}></importance-bars></section>
    </div>`;
  }

  axisMenu() {
    return menu(
      html`${icon("columns")}Axes`,
      html`<ul class="axes">
        ${this.order.map(
          (name, at) => html`<li>
            <label><input type="checkbox" .checked=${!this.left.has(name)}
              @change=${(event) => this.show(name, event.target.checked)}>${name}</label>
            <button type="button" class="plain small square" ?disabled=${at === 0} aria-label="Move ${name} left"
              @click=${() => this.move(name, -1)}>${icon("up")}</button>
            <button type="button" class="plain small square" ?disabled=${at === this.order.length - 1}
              aria-label="Move ${name} right" @click=${() => this.move(name, 1)}>${icon("down")}</button>
          </li>`,
        )}
      </ul>`,
      { title: "Axes" },
    );
  }

  list() {
    const sign = this.store.isHighGood ? -1 : 1;
    const rows = [...this.kept].sort((a, b) => sign * (a.metric - b.metric));
    return html`<section class="card brushed">
      <header>
        <h2>${count(rows.length)} trials in the brush</h2>
        <div class="end"><button type="button" class="small" ?disabled=${rows.length === 0}
          @click=${() => this.compare(rows)}>Compare the best of them</button></div>
      </header>
      <div class="scroll-box"><table class="compact">
        <thead><tr><th>No.</th><th>Trial</th><th
          class="right">${this.store.metric.key === "default" ? "Metric" : this.store.metric.key}</th>${this.axes.map((name) => html`<th
          class="right">${name}</th>`)}</tr></thead>
        <tbody>${rows.slice(0, MOST_LISTED).map(
          (row) => html`<tr><td class="number soft">${row.sequenceId}</td><td><button type="button" class="link code"
            @click=${() => setQuery({ trial: row.trial })}>${row.trial}</button></td>
            <td class="right number">${number(row.metric)}</td>${this.axes.map((name) => html`<td
              class="right number">${parameter(row.parameters?.[name])}</td>`)}</tr>`,
        )}</tbody>
      </table></div>
      ${rows.length > MOST_LISTED ? html`<p class="faint small">The best ${MOST_LISTED} of them.</p>` : nothing}
    </section>`;
  }

  compare(rows) {
    this.selection.replace(rows.slice(0, 5).map((row) => row.trial));
    navigate(addressOf(this.store.id, "compare"));
  }
}

define("parameters-tab", ParametersTab);
