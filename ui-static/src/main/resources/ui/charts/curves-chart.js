// Intermediate results of several trials, one line each. The line nearest to the pointer is named, and opens its
// trial on a click; up to ten lines have a legend that does the same for the keyboard.
import { html, nothing } from "lit";
import { count, finite, number } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { swatch } from "../kit/swatch.js";
import { Chart, axis, label, tooltipBox, zoom } from "./chart.js";
import { nearestCurve } from "./nearest-curve.js";

// Lines in a legend; more of them are thin, and told apart by the pointer alone.
const MOST_IN_LEGEND = 10;
const REACH_PX = 14;
const TIP_GAP_PX = 14;

class CurvesChart extends Chart {
  /** `curves` are {trial, label, points: [[x, y]…]}, drawn in the order of the series colours. */
  static properties = { curves: { attribute: false }, logarithmic: { type: Boolean }, empty: {}, size: {}, across: {}, says: {} };

  constructor() {
    super();
    this.curves = [];
    /** The name of the horizontal axis, and what the chart shows; those of trials when they are not given. */
    this.across = "Report";
    this.says = null;
    this.empty = "No intermediate results yet.";
    this.size = "";
  }

  updated(changed) {
    if (changed.has("curves") || changed.has("logarithmic")) {
      this.draw();
    }
  }

  #pixels = null;
  #shown = [];

  attend(canvas) {
    const area = canvas.getZr();
    area.on("mousemove", (event) => this.hover(event.offsetX, event.offsetY));
    area.on("globalout", () => this.leave());
    area.on("click", (event) => {
      const found = this.at(event.offsetX, event.offsetY);
      if (found) {
        this.tell("trial", this.#shown[found.curve].trial);
      }
    });
    canvas.on("finished", () => (this.#pixels = null));
    canvas.on("datazoom", () => (this.#pixels = null));
  }

  /** The line at a place of the canvas. */
  at(x, y) {
    if (!this.canvas?.containPixel({ gridIndex: 0 }, [x, y])) {
      return null;
    }
    this.#pixels ??= this.#shown.map((curve) =>
      curve.points.map(([px, py]) => (finite(py) === null ? [NaN, NaN] : this.canvas.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [px, py]))),
    );
    return nearestCurve(this.#pixels, [x, y], REACH_PX);
  }

  hover(x, y) {
    const found = this.at(x, y);
    this.canvas.getZr().setCursorStyle(found ? "pointer" : "default");
    if (!found) {
      this.leave();
      return;
    }
    this.emphasise(found.curve);
    const curve = this.#shown[found.curve];
    const [report, value] = curve.points[found.point];
    const tip = this.querySelector(".tip-at-pointer");
    tip.replaceChildren(tooltipBox([[curve.label, number(value)], [this.across.toLowerCase(), count(report)]]));
    tip.hidden = false;
    const room = this.querySelector(".canvas").clientWidth;
    tip.style.left = `${Math.max(0, Math.min(x + TIP_GAP_PX, room - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, y - tip.offsetHeight - TIP_GAP_PX)}px`;
  }

  leave() {
    this.emphasise(null);
    const tip = this.querySelector(".tip-at-pointer");
    if (tip) {
      tip.hidden = true;
    }
  }

  /** Draws one line strong and the others faint; null takes that back. */
  emphasise(curve) {
    if (curve !== this.strong) {
      this.strong = curve;
      this.canvas?.dispatchAction({ type: "downplay" });
      if (curve !== null) {
        this.canvas?.dispatchAction({ type: "highlight", seriesIndex: curve });
      }
    }
  }

  option(tones) {
    const curves = drawn(this.curves);
    this.#shown = curves;
    this.#pixels = null;
    this.strong = null;
    if (curves.length === 0) {
      return null;
    }
    const few = curves.length <= MOST_IN_LEGEND;
    const positive = curves.every((curve) => curve.points.every(([, y]) => finite(y) === null || y > 0));
    return {
      grid: { left: 8, right: 18, top: 12, bottom: 26, containLabel: true },
      xAxis: axis(tones, {
        type: "value",
        min: "dataMin",
        max: "dataMax",
        minInterval: 1,
        splitLine: { show: false },
        name: this.across,
        nameLocation: "middle",
        nameGap: 26,
      }),
      yAxis: axis(tones, { type: this.logarithmic && positive ? "log" : "value", scale: true, axisLabel: label(tones, number) }),
      dataZoom: zoom(),
      series: curves.map((curve, at) => ({
        id: curve.trial,
        name: curve.label,
        type: "line",
        data: curve.points.map(([x, y]) => [x, finite(y)]),
        symbol: "circle",
        symbolSize: curve.points.length === 1 ? 7 : 5,
        showSymbol: few && curve.points.length < 60,
        connectNulls: false,
        silent: true,
        lineStyle: { width: few ? 2 : 1.2, color: tones.series[at % tones.series.length], opacity: few ? 1 : 0.7 },
        itemStyle: { color: tones.series[at % tones.series.length] },
        emphasis: { focus: "series", lineStyle: { width: 3 } },
      })),
    };
  }

  render() {
    return html`<div class="at-pointer">${this.plot(this.says ?? `Intermediate results of ${count(this.curves.length)} trials`, this.empty, this.size)}<div
      class="tip-at-pointer" hidden></div></div>${this.legend()}`;
  }

  /** One line alone is named by what stands around it. */
  legend() {
    const curves = drawn(this.curves);
    if (curves.length < 2 || curves.length > MOST_IN_LEGEND) {
      return nothing;
    }
    return html`<ul class="curve-legend" aria-label="Lines">${curves.map(
      (curve, at) => html`<li><button type="button" class="plain small" @click=${() => this.tell("trial", curve.trial)}
        @pointerenter=${() => this.emphasise(at)} @pointerleave=${() => this.emphasise(null)}
        @focus=${() => this.emphasise(at)} @blur=${() => this.emphasise(null)}>${swatch(at)}${curve.label}</button></li>`,
    )}</ul>`;
  }
}

const drawn = (curves) => curves.filter((curve) => curve.points.length > 0);

define("curves-chart", CurvesChart);
