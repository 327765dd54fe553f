// Intermediate results of several trials, one line each.
import { count, finite, number } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { Chart, axis, label, tooltip, zoom } from "./chart.js";

const LABELLED = 8;

class CurvesChart extends Chart {
  /** `curves` are {trial, label, points: [[x, y]…]}, drawn in the order of the series colours. */
  static properties = { curves: { attribute: false }, logarithmic: { type: Boolean }, empty: {}, size: {} };

  constructor() {
    super();
    this.curves = [];
    this.empty = "No intermediate results yet.";
    this.size = "";
  }

  updated(changed) {
    if (changed.has("curves") || changed.has("logarithmic")) {
      this.draw();
    }
  }

  attend(canvas) {
    canvas.on("click", (at) => at.seriesId && this.tell("trial", at.seriesId));
  }

  option(tones) {
    const curves = this.curves.filter((curve) => curve.points.length > 0);
    if (curves.length === 0) {
      return null;
    }
    const few = curves.length <= LABELLED;
    const positive = curves.every((curve) => curve.points.every(([, y]) => finite(y) === null || y > 0));
    return {
      grid: { left: 8, right: 18, top: 12, bottom: 26, containLabel: true },
      xAxis: axis(tones, {
        type: "value",
        min: "dataMin",
        max: "dataMax",
        minInterval: 1,
        splitLine: { show: false },
        name: "Report",
        nameLocation: "middle",
        nameGap: 26,
      }),
      yAxis: axis(tones, { type: this.logarithmic && positive ? "log" : "value", scale: true, axisLabel: label(tones, number) }),
      dataZoom: zoom(),
      tooltip: tooltip(tones, (at) => [[at.seriesName, number(at.value[1])], ["report", count(at.value[0])]], { trigger: "item" }),
      series: curves.map((curve, at) => ({
        id: curve.trial,
        name: curve.label,
        type: "line",
        data: curve.points.map(([x, y]) => [x, finite(y)]),
        symbol: "circle",
        symbolSize: curve.points.length === 1 ? 7 : 5,
        showSymbol: few && curve.points.length < 60,
        connectNulls: false,
        triggerLineEvent: true,
        cursor: "pointer",
        lineStyle: { width: few ? 2 : 1.2, color: tones.series[at % tones.series.length], opacity: few ? 1 : 0.7 },
        itemStyle: { color: tones.series[at % tones.series.length] },
        emphasis: { focus: "series", lineStyle: { width: 3 } },
      })),
    };
  }

  render() {
    return this.plot(`Intermediate results of ${count(this.curves.length)} trials`, this.empty, this.size);
  }
}

define("curves-chart", CurvesChart);
