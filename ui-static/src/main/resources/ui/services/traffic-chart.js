// One curve for each service that answered: requests a second, the share of errors, or the time to answer.
import { html } from "lit";
import { Chart, axis, label, tooltip } from "../charts/chart.js";
import { define } from "../kit/piece.js";
import { SERIES, swatch } from "../kit/swatch.js";
import { milliseconds, perSecond, share } from "../routes/figures.js";

const HOUR_MS = 3_600_000;
const SHORTEST_MS = 300_000;

const KINDS = {
  rate: { title: "Requests a second", show: perSecond, value: (point, step) => point.requests / step, rests: 0 },
  errors: { title: "Errors (5xx)", show: share, value: (point) => point.errors / point.requests, rests: null, max: ({ max }) => Math.min(1, Math.max(0.1, 1.2 * max)) },
  p50: { title: "Median time to answer", show: milliseconds, value: (point) => point.p50, rests: null },
  p99: { title: "Time to answer, p99", show: milliseconds, value: (point) => point.p99, rests: null },
};

/** Where a step has no request, the curve is at `rests`, or has a gap when that is null. */
export function curve(points, stepMs, rests, value) {
  const data = [];
  let before = null;
  for (const point of points) {
    const at = Date.parse(point.at);
    if (before !== null && at - before > 1.5 * stepMs) {
      data.push([before + stepMs, rests], [at - stepMs, rests]);
    }
    data.push([at, value(point)]);
    before = at;
  }
  return data;
}

class TrafficChart extends Chart {
  /** `traffic` is the API's answer; `kind` is rate, errors, p50 or p99. */
  static properties = { traffic: { attribute: false }, kind: {} };

  constructor() {
    super();
    this.traffic = null;
  }

  updated(changed) {
    if (changed.has("traffic")) {
      this.draw();
    }
  }

  option(tones) {
    const { items, stepSeconds } = this.traffic ?? { items: [] };
    if (items.length === 0) {
      return null;
    }
    const { show, value, rests, max = null } = KINDS[this.kind];
    const now = Date.now();
    const first = Math.min(...items.map((item) => Date.parse(item.points[0].at)));
    return {
      grid: { left: 8, right: 14, top: 10, bottom: 4, containLabel: true },
      xAxis: axis(tones, {
        type: "time",
        min: Math.max(now - HOUR_MS, Math.min(first, now - SHORTEST_MS)),
        max: now,
        splitNumber: 4,
        splitLine: { show: false },
        axisLabel: label(tones, "{HH}:{mm}"),
      }),
      yAxis: axis(tones, { type: "value", min: 0, max, axisLabel: label(tones, show), splitNumber: 3 }),
      tooltip: tooltip(tones, (at) => at.filter((one) => one.value[1] !== null).map((one) => [one.seriesName, show(one.value[1])]), { trigger: "axis" }),
      series: items.map(({ service, points }, at) => ({
        name: service,
        type: "line",
        data: curve(points, stepSeconds * 1000, rests, (point) => value(point, stepSeconds)),
        showSymbol: points.length === 1,
        symbolSize: 6,
        lineStyle: { width: 1.8, color: tones.series[at % SERIES] },
        itemStyle: { color: tones.series[at % SERIES] },
      })),
    };
  }

  render() {
    const { title } = KINDS[this.kind];
    return html`<header><h3>${title}</h3></header>${this.plot(`${title}, by the service that answered`, "No request in the last hour.", "low")}`;
  }
}

/** Which colour is whose. */
export const legendOf = (traffic) => html`<p class="legend small">${traffic.items.map(({ service }, at) => html`<span>${swatch(at)}${service}</span> `)}</p>`;

define("traffic-chart", TrafficChart);
