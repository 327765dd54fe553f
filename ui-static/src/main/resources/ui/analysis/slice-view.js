// One small chart for each parameter: results over its values, the later trials darker.
import { html, nothing } from "lit";
import { number } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { setQuery } from "../shell/router.js";
import { axis, label, tooltip } from "../charts/chart.js";
import { ramp } from "../charts/ramp.js";
import { axisOf, scaleOf } from "./scale.js";
import { StoreChart, describe, symbols } from "./store-chart.js";

const AT_FIRST = 12;

class SliceChart extends StoreChart {
  static properties = { parameter: {} };

  option(tones) {
    const scale = scaleOf(this.parameter, this.rows, this.store.experiment.config?.searchSpace?.[this.parameter]);
    const rows = this.rows.filter((row) => scale.of(row) !== null);
    if (rows.length === 0) {
      return null;
    }
    const numbers = rows.map((row) => row.sequenceId).sort((a, b) => a - b);
    const colour = ramp(numbers, [tones.low, tones.middle, tones.high]);
    const look = symbols(rows.length);
    const { axisLabel, ...across } = axisOf(scale);
    return {
      grid: { left: 6, right: 16, top: 10, bottom: 6, containLabel: true },
      xAxis: axis(tones, { ...across, scale: true, splitLine: { show: false }, axisLabel: label(tones, axisLabel?.formatter) }),
      yAxis: axis(tones, { type: "value", scale: true, axisLabel: label(tones, number) }),
      tooltip: tooltip(tones, ({ data }) => describe(data.row), { trigger: "item" }),
      series: [
        {
          type: "scatter",
          data: rows.map((row) => ({ value: [scale.of(row), row.metric], row, itemStyle: { color: colour(row.sequenceId) } })),
          symbolSize: look.symbolSize,
          itemStyle: { opacity: look.opacity },
          cursor: "pointer",
        },
      ],
    };
  }

  render() {
    return html`<h3>${this.parameter}</h3>${this.plot(`${this.metricName} over ${this.parameter}`, "No trial has a result and this parameter.", "small")}`;
  }
}

class SliceView extends Piece {
  static properties = { store: { attribute: false }, all: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "points", () => this.requestUpdate());
  }

  render() {
    const names = this.store.points?.parameterNames ?? [];
    const shown = this.all ? names : names.slice(0, AT_FIRST);
    return html`<section class="card"><header><h2>Slice</h2><span class="legend">earlier <i class="ramp"></i> later</span></header>
      ${names.length === 0 ? html`<p class="soft small">Charts appear here when trials have results.</p>` : nothing}
      <div class="small-charts">${shown.map((name) => html`<slice-chart .store=${this.store} parameter=${name}
        @trial=${(event) => setQuery({ trial: event.detail }, { step: true })}></slice-chart>`)}</div>
      ${shown.length < names.length ? html`<p><button type="button" @click=${() => (this.all = true)}>Show all ${names.length} parameters</button></p>` : nothing}
    </section>`;
  }
}

define("slice-chart", SliceChart);
define("slice-view", SliceView);
