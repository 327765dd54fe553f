// The course of the search: each trial's result, and the best so far as a line.
import { html } from "lit";
import { count, number, parameter } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { recall, remember } from "../kit/remember.js";
import { statusWord } from "../kit/status.js";
import { metricChoice } from "../trials/metric-choice.js";
import { Chart, axis, label, tooltip, zoom } from "./chart.js";

const SHOWN_PARAMETERS = 8;

class HistoryChart extends Chart {
  static properties = { logarithmic: { state: true } };

  constructor() {
    super();
    this.logarithmic = recall("history.log", false);
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "points", () => (this.draw(), this.requestUpdate()));
    this.listen(this.store, "metric", () => this.requestUpdate());
  }

  attend(canvas) {
    canvas.on("click", (at) => at.data?.row && this.tell("trial", at.data.row.trial));
  }

  option(tones) {
    const points = this.store.points;
    const rows = points?.rows.filter((row) => row.metric !== null) ?? [];
    if (rows.length === 0) {
      return null;
    }
    const best = points.bestSoFar(this.store.isHighGood);
    const last = Math.max(...rows.map((row) => row.sequenceId));
    const line = [...best.map(([x, y]) => [x, y]), [last, best.at(-1)[1]]];
    // A logarithm needs values above zero.
    const type = this.logarithmic && rows.every((row) => row.metric > 0) ? "log" : "value";
    const item = (row) => ({ value: [row.sequenceId, row.metric], row });
    return {
      grid: { left: 8, right: 28, top: 12, bottom: 26, containLabel: true },
      xAxis: axis(tones, {
        type: "value",
        min: "dataMin",
        max: "dataMax",
        splitLine: { show: false },
        name: "Trial no.",
        nameLocation: "middle",
        nameGap: 26,
        axisLabel: label(tones, (value) => (Number.isInteger(value) ? count(value) : "")),
      }),
      yAxis: axis(tones, { type, scale: true, axisLabel: label(tones, number) }),
      dataZoom: zoom(),
      tooltip: tooltip(tones, ({ data }) => describe(data.row), { trigger: "item" }),
      series: [
        {
          name: "Result",
          type: "scatter",
          data: rows.map(item),
          symbolSize: rows.length > 500 ? 4 : 7,
          itemStyle: { color: tones.middle, opacity: rows.length > 500 ? 0.55 : 0.8 },
          emphasis: { itemStyle: { color: tones.accent, opacity: 1 } },
          cursor: "pointer",
        },
        {
          name: "Best so far",
          type: "line",
          step: "end",
          data: line,
          showSymbol: false,
          silent: true,
          lineStyle: { width: 2, color: tones.accent },
          tooltip: { show: false },
          z: 3,
        },
      ],
    };
  }

  turnScale() {
    this.logarithmic = !this.logarithmic;
    remember("history.log", this.logarithmic);
    this.draw();
  }

  render() {
    const { points, experiment } = this.store;
    const best = experiment.best ? `, best so far ${number(experiment.best.metric)}` : "";
    return html`
      <header>
        <h2>Results</h2>
        <span class="legend"><i class="dot"></i>trial <i class="dash"></i>best so far</span>
        <div class="end">
          ${metricChoice(this.store)}
          <button type="button" class="small plain" aria-pressed=${this.logarithmic} @click=${this.turnScale}>Log scale</button>
        </div>
      </header>
      ${this.plot(`Results of ${count(points?.total ?? 0)} trials${best}`, "Results appear here when trials report them.")}
      ${points?.isSample ? html`<p
        class="faint small">${count(points.rows.length)} of ${count(points.total)} trials drawn; the best and the extremes always are.</p>` : ""}
    `;
  }
}

function describe(row) {
  const parameters = Object.entries(row.parameters ?? {}).slice(0, SHOWN_PARAMETERS);
  return [
    [`No. ${row.sequenceId} · ${row.trial}`, number(row.metric)],
    ["status", statusWord(row.status)],
    ...parameters.map(([name, value]) => [name, parameter(value)]),
  ];
}

define("history-chart", HistoryChart);
