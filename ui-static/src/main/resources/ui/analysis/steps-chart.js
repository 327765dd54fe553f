// Lines that rise or fall in steps: distributions, courses of a search.
import { html } from "lit";
import { number } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { SERIES, swatch } from "../kit/swatch.js";
import { Chart, axis, label, tooltip, zoom } from "../charts/chart.js";

const MOST_IN_LEGEND = 10;

class StepsChart extends Chart {
  /**
   * `lines` are {name, steps: [[x, y]…], last}: `last` is the x to which the last step is drawn on. `x` and `y` name the
   * axes, `percent` says that y is a share.
   */
  static properties = { lines: { attribute: false }, x: {}, y: {}, percent: { type: Boolean }, size: {} };

  constructor() {
    super();
    this.lines = [];
    this.size = "";
  }

  updated(changed) {
    if (changed.has("lines")) {
      this.draw();
    }
  }

  option(tones) {
    const lines = this.lines.filter((line) => line.steps.length > 0);
    if (lines.length === 0) {
      return null;
    }
    const share = (value) => `${Math.round(100 * value)} %`;
    return {
      grid: { left: 8, right: 24, top: 12, bottom: 26, containLabel: true },
      xAxis: axis(tones, { type: "value", scale: true, min: "dataMin", max: "dataMax", splitLine: { show: false }, name: this.x, nameLocation: "middle", nameGap: 26, axisLabel: label(tones, number) }),
      yAxis: axis(tones, { type: "value", scale: !this.percent, ...(this.percent ? { min: 0, max: 1 } : {}), axisLabel: label(tones, this.percent ? share : number) }),
      dataZoom: zoom(),
      tooltip: tooltip(tones, (at) => at.map((one) => [one.seriesName, this.percent ? `${share(one.value[1])} up to ${number(one.value[0])}` : number(one.value[1])]), { trigger: "axis" }),
      series: lines.map((line, at) => ({
        name: line.name,
        type: "line",
        step: "end",
        data: line.last === undefined ? line.steps : [...line.steps, [line.last, line.steps.at(-1)[1]]],
        showSymbol: line.steps.length === 1,
        lineStyle: { width: 2, color: tones.series[at % SERIES] },
        itemStyle: { color: tones.series[at % SERIES] },
      })),
    };
  }

  render() {
    const names = this.lines.map((line) => line.name);
    return html`${this.plot(`${this.y || names[0] || "Values"} over ${this.x}`, "Nothing to draw yet.", this.size)}
      ${names.length > 1 && names.length <= MOST_IN_LEGEND
        ? html`<ul class="curve-legend" aria-label="Lines">${names.map((name, at) => html`<li class="small soft">${swatch(at)} ${name}</li>`)}</ul>`
        : ""}`;
  }
}

define("steps-chart", StepsChart);
