// Requests and errors a second, or the times that answers took, since the page was opened.
import { html } from "lit";
import { define } from "../kit/piece.js";
import { Chart, axis, label, tooltip } from "../charts/chart.js";
import { milliseconds, perSecond } from "./figures.js";
import { figures } from "./traffic.js";

const LONGEST_MS = 180_000;
const SHORTEST_MS = 60_000;

const KINDS = {
  rate: {
    title: "Requests a second",
    says: "Requests and errors a second",
    show: perSecond,
    lines: [["requests", "rate", "accent"], ["errors (5xx)", "errorRate", "bad"]],
  },
  times: {
    title: "Time to answer",
    says: "Median and 99th percentile of the time to answer",
    show: milliseconds,
    lines: [["p50", "p50", "accent"], ["p99", "p99", "warn"]],
  },
};

class ServiceChart extends Chart {
  /** `kind` is rate or times. */
  static properties = { samples: { attribute: false }, kind: {} };

  constructor() {
    super();
    this.samples = [];
  }

  updated(changed) {
    if (changed.has("samples")) {
      this.draw();
    }
  }

  option(tones) {
    if (this.samples.length === 0) {
      return null;
    }
    const { lines, show } = KINDS[this.kind];
    const points = this.samples.map((sample) => [sample.at, figures([sample])]);
    const now = this.samples.at(-1).at;
    const begin = Math.max(now - LONGEST_MS, Math.min(this.samples[0].at, now - SHORTEST_MS));
    return {
      grid: { left: 8, right: 14, top: 10, bottom: 4, containLabel: true },
      xAxis: axis(tones, { type: "time", min: begin, max: now, splitNumber: 4, splitLine: { show: false }, axisLabel: label(tones, "{HH}:{mm}:{ss}") }),
      yAxis: axis(tones, { type: "value", min: 0, axisLabel: label(tones, show), splitNumber: 4 }),
      tooltip: tooltip(tones, (at) => at.map((one) => [one.seriesName, show(one.value[1])]), { trigger: "axis" }),
      series: lines.map(([name, field, tone]) => ({
        name,
        type: "line",
        data: points.map(([at, values]) => [at, values[field]]),
        showSymbol: false,
        connectNulls: this.kind === "times",
        lineStyle: { width: 1.8, color: tones[tone] },
        itemStyle: { color: tones[tone] },
      })),
    };
  }

  render() {
    const { title, says, lines } = KINDS[this.kind];
    return html`<header><h3>${title}</h3><span class="legend">${lines.map(([name, , tone]) => html`<i class="dash ${tone}"></i>${name}`)}</span></header>
      ${this.plot(says, "The curve begins in a second.", "low")}`;
  }
}

define("service-chart", ServiceChart);
