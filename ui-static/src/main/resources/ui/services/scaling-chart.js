// How many replicas the scaler wanted over time; the box at the pointer says why.
import { html } from "lit";
import { Chart, axis, label, tooltip } from "../charts/chart.js";
import { fullTime } from "../kit/format.js";
import { define } from "../kit/piece.js";

/** The steps of decisions, the oldest first, from the number before the first one to now. */
export function stepsOf(scalings, now) {
  const ordered = [...scalings].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  if (ordered.length === 0) {
    return [];
  }
  const points = ordered.map((one) => ({ value: [Date.parse(one.at), one.to], decision: one }));
  const first = points[0].value[0];
  const before = { value: [first - Math.max(60_000, 0.05 * (now - first)), ordered[0].from] };
  return [before, ...points, { value: [now, ordered.at(-1).to] }];
}

class ScalingChart extends Chart {
  static properties = { scalings: { attribute: false } };

  constructor() {
    super();
    this.scalings = [];
  }

  updated(changed) {
    if (changed.has("scalings")) {
      this.draw();
    }
  }

  option(tones) {
    const now = Date.now();
    const data = stepsOf(this.scalings, now);
    if (data.length === 0) {
      return null;
    }
    return {
      grid: { left: 8, right: 14, top: 10, bottom: 4, containLabel: true },
      xAxis: axis(tones, { type: "time", min: data[0].value[0], max: now, splitNumber: 4, splitLine: { show: false }, axisLabel: label(tones) }),
      yAxis: axis(tones, { type: "value", min: 0, minInterval: 1, axisLabel: label(tones), splitNumber: 3 }),
      tooltip: tooltip(
        tones,
        ({ data: { decision } }) => (decision ? [[fullTime(decision.at), `${decision.from} → ${decision.to}`], [decision.reason, ""]] : []),
        { trigger: "item" },
      ),
      series: [
        {
          type: "line",
          step: "end",
          data: data.map((point) => ({ ...point, symbolSize: point.decision ? 7 : 0 })),
          symbol: "circle",
          showSymbol: true,
          lineStyle: { width: 1.8, color: tones.accent },
          itemStyle: { color: tones.accent },
          areaStyle: { color: tones.accent, opacity: 0.08 },
        },
      ],
    };
  }

  render() {
    return html`${this.plot("Replicas that the scaler wanted over time", "The scaler has decided nothing yet.", "low")}`;
  }
}

define("scaling-chart", ScalingChart);
