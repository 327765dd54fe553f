// Parallel coordinates: one line a trial, through its parameters to its metric. Drag along an axis
// to keep only the lines that pass there; click an axis's brush to take it away. The names above the
// axes put them into another order.
import { html } from "lit";
import { number, parameter } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { isLogarithmic } from "../trials/search-space.js";
import { MARGIN } from "./axis-heads.js";
import { Chart } from "./chart.js";
import { ramp } from "./ramp.js";

const MANY = 400;
/** So many lines at one place cover it. */
const DENSE = 180;
const LEAST_OPACITY = 0.07;
const LEAST_PX = 90;
const LABEL_GAP_PX = 14;
const METRIC = "metric";

const idOf = (name) => `parameter ${name}`;

class ParallelChart extends Chart {
  /** `rows` in any order, `axes` the names of parameters from left to right, `space` the search space. */
  static properties = {
    rows: { attribute: false },
    axes: { attribute: false },
    space: { attribute: false },
    isMaximized: { attribute: false },
    metric: {},
  };

  #drawn = [];

  constructor() {
    super();
    this.rows = [];
    this.axes = [];
    this.metric = "metric";
    this.brushed = false;
  }

  updated(changed) {
    const isOrdered = changed.has("axes") || changed.has("metric") || changed.has("isMaximized");
    // New lines would take the brushes away; they wait until the reader has finished.
    if (isOrdered && this.brushed) {
      this.drawBrushed();
    } else if (isOrdered || (changed.has("rows") && !this.brushed)) {
      this.draw();
    }
  }

  /** Draws anew with the same brushes on the axes that are still there. */
  drawBrushed() {
    const brushes = [];
    this.canvas.getModel().eachComponent("parallelAxis", (axis) => brushes.push([axis.id, axis.activeIntervals]));
    this.draw(false);
    const ids = new Set([...this.axes.map(idOf), METRIC]);
    for (const [parallelAxisId, intervals] of brushes) {
      if (intervals.length > 0 && ids.has(parallelAxisId)) {
        this.canvas?.dispatchAction({ type: "axisAreaSelect", parallelAxisId, intervals });
      }
    }
    this.tellBrush();
  }

  tellBrush() {
    const model = this.canvas?.getModel();
    this.brushed = model?.getComponent("parallel")?.coordinateSystem.hasAxisBrushed() ?? false;
    const kept = this.brushed ? model.getSeriesByIndex(0).getRawIndicesByActiveState("active") : null;
    this.tell("brush", kept?.map((at) => this.#drawn[at]) ?? null);
  }

  attend(canvas) {
    canvas.on("axisareaselected", () => this.tellBrush());
    canvas.on("click", (at) => at.componentType === "series" && this.tell("trial", this.#drawn[at.dataIndex].trial));
  }

  /** Takes all brushes away. */
  clear() {
    this.brushed = false;
    this.draw();
    this.tell("brush", null);
  }

  option(tones) {
    const rows = this.rows.filter((row) => row.metric !== null);
    if (rows.length === 0) {
      return null;
    }
    this.brushed = false;
    const sign = this.isMaximized ? 1 : -1;
    // The best lie on top.
    this.#drawn = [...rows].sort((a, b) => sign * (a.metric - b.metric));
    const colour = ramp(this.#drawn.map((row) => sign * row.metric), [tones.low, tones.middle, tones.high]);
    const isMany = rows.length > MANY;
    const axes = this.axes.map((name, dim) => this.parameterAxis(name, dim));
    const value = (row, at) => {
      const found = plain(row.parameters?.[this.axes[at]]);
      return axes[at].type === "category" && found !== null ? String(found) : found;
    };
    this.querySelectorAll(".canvas, axis-heads").forEach((part) => (part.style.minWidth = `${(axes.length + 2) * LEAST_PX}px`));
    const room = (this.querySelector(".canvas").clientWidth - MARGIN.left - MARGIN.right) / axes.length - LABEL_GAP_PX;
    return {
      parallel: { ...MARGIN, top: 14, bottom: 22, parallelAxisDefault: look(tones, room) },
      parallelAxis: [...axes, { id: METRIC, dim: axes.length, type: "value", scale: true, axisLabel: { formatter: number } }],
      series: [
        {
          type: "parallel",
          data: this.#drawn.map((row) => ({
            value: [...axes.map((_, at) => value(row, at)), row.metric],
            lineStyle: { color: colour(sign * row.metric) },
          })),
          lineStyle: { width: isMany ? 1 : 1.6, opacity: opacityOf(rows.length) },
          inactiveOpacity: 0.03,
          activeOpacity: 0.9,
          progressive: 500,
        },
      ],
    };
  }

  parameterAxis(name, dim) {
    const values = this.#drawn.map((row) => plain(row.parameters?.[name])).filter((value) => value !== null);
    const options = this.space?.[name]?._type === "choice" ? this.space[name]._value.map(plain) : [];
    if (options.length === 0 && values.length > 0 && values.every((value) => typeof value === "number")) {
      const isLog = isLogarithmic(this.space?.[name]) && values.every((value) => value > 0);
      // ECharts would stretch a logarithmic axis to whole powers of ten.
      const ends = isLog ? { min: Math.min(...values), max: Math.max(...values) } : {};
      return { id: idOf(name), dim, type: isLog ? "log" : "value", scale: true, ...ends, axisLabel: { formatter: number } };
    }
    return { id: idOf(name), dim, type: "category", data: [...new Set([...options, ...values].map(String))] };
  }

  render() {
    return html`<div class="beyond">
      <axis-heads .names=${this.axes} last=${this.metric}
        ?hidden=${this.isEmpty || this.broken}></axis-heads>
      ${this.plot(`Parameters of ${this.rows.length} trials as parallel coordinates`, "Lines appear here when trials have results.", "high")}
    </div>`;
  }
}

/** The more lines, the fainter each: where many lie together it is dense, and the others stay visible. */
const opacityOf = (many) => Math.max(LEAST_OPACITY, Math.min(0.8, DENSE / many));

/** A value that an axis can hold: a number or a text. */
function plain(value) {
  if (value === undefined || value === null) {
    return null;
  }
  return typeof value === "number" ? value : (value._name ?? parameter(value));
}

/** @param room for a label at its axis, in px */
const look = (tones, room) => ({
  axisLine: { lineStyle: { color: tones.lineStrong } },
  axisTick: { lineStyle: { color: tones.lineStrong } },
  // Legible above the lines that run through it.
  axisLabel: { color: tones.text, fontSize: 11, backgroundColor: tones.surface, padding: [1, 3], borderRadius: 3, width: room, overflow: "truncate" },
  areaSelectStyle: { width: 18, borderWidth: 1, borderColor: tones.accent, color: tones.accent, opacity: 0.25 },
});

define("parallel-chart", ParallelChart);
