// The results of two objectives, and the trials that no other one dominates.
import { number } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { Chart, axis, label, tooltip } from "../charts/chart.js";
import { symbols } from "./store-chart.js";

class ParetoChart extends Chart {
  /** `rows` are {trial, sequenceId, values}, `members` the ids of the front, `axes` two objectives {metric, goal, at}. */
  static properties = { rows: { attribute: false }, members: { attribute: false }, axes: { attribute: false } };

  constructor() {
    super();
    this.rows = [];
    this.members = new Set();
  }

  updated(changed) {
    if (changed.has("rows") || changed.has("members") || changed.has("axes")) {
      this.draw();
    }
  }

  attend(canvas) {
    canvas.on("click", (at) => at.data?.row && this.tell("trial", at.data.row.trial));
  }

  option(tones) {
    const [x, y] = this.axes;
    const item = (row) => ({ value: [row.values[x.at], row.values[y.at]], row });
    const all = this.rows.filter((row) => Number.isFinite(row.values[x.at]) && Number.isFinite(row.values[y.at]));
    if (all.length === 0) {
      return null;
    }
    const best = all.filter((row) => this.members.has(row.trial)).map(item).sort((a, b) => a.value[0] - b.value[0]);
    const rest = all.filter((row) => !this.members.has(row.trial)).map(item);
    const side = (objective, more) =>
      axis(tones, { type: "value", scale: true, name: `${objective.metric} (${objective.goal === "minimize" ? "lower" : "higher"} is better)`, nameLocation: "middle", axisLabel: label(tones, number), ...more });
    const look = symbols(rest.length);
    return {
      grid: { left: 30, right: 24, top: 16, bottom: 30, containLabel: true },
      xAxis: side(x, { nameGap: 28 }),
      yAxis: side(y, { nameGap: 46 }),
      tooltip: tooltip(tones, ({ data }) => [[`No. ${data.row.sequenceId} · ${data.row.trial}`, ""], ...[x, y].map((one) => [one.metric, number(data.row.values[one.at])])], { trigger: "item" }),
      series: [
        { type: "scatter", data: rest, symbolSize: look.symbolSize, itemStyle: { color: tones.middle, opacity: look.opacity }, cursor: "pointer" },
        { type: "line", data: best, showSymbol: true, symbol: "circle", symbolSize: 9, lineStyle: { color: tones.accent, width: 1.5 }, itemStyle: { color: tones.accent }, cursor: "pointer", z: 4 },
      ],
    };
  }

  render() {
    return this.plot(`${this.axes[1].metric} against ${this.axes[0].metric} of ${this.rows.length} trials, ${this.members.size} of them on the Pareto front`, "Points appear here when trials report a number for each of the two.", "high");
  }
}

define("pareto-chart", ParetoChart);
