// Results over two parameters: as a surface through them (contour), or each by its rank among all.
import { count } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { axis, label, tooltip } from "../charts/chart.js";
import { ramp } from "../charts/ramp.js";
import { ranks } from "./ranks.js";
import { axisOf, scaleOf } from "./scale.js";
import { StoreChart, describe, symbols } from "./store-chart.js";
import { surface } from "./surface.js";

const CELLS = 40;
/** Each cell is a mean over all points. */
const MOST_FOR_SURFACE = 1000;

class PairChart extends StoreChart {
  /** `kind` is contour or rank. */
  static properties = { kind: {}, across: {}, up: {} };

  updated(changed) {
    if (changed.has("kind") || changed.has("across") || changed.has("up")) {
      this.draw();
    }
  }

  scale(name) {
    return scaleOf(name, this.rows, this.store.experiment.config?.searchSpace?.[name]);
  }

  option(tones) {
    const [x, y] = [this.scale(this.across), this.scale(this.up)];
    const rows = this.rows.filter((row) => x.of(row) !== null && y.of(row) !== null);
    if (rows.length === 0) {
      return null;
    }
    const side = (scale, more) => {
      const { axisLabel, ...kind } = axisOf(scale);
      return axis(tones, { ...kind, scale: true, name: scale.name, nameLocation: "middle", splitLine: { show: false }, axisLabel: label(tones, axisLabel?.formatter), ...more });
    };
    const isRank = this.kind === "rank";
    const colours = [tones.low, tones.middle, tones.high];
    const places = ranks(rows.map((row) => row.metric), this.store.isHighGood);
    const byRank = ramp([0, 1], colours);
    const look = symbols(rows.length);
    const dots = {
      type: "scatter",
      data: rows.map((row, at) => ({ value: [x.of(row), y.of(row)], row, itemStyle: isRank ? { color: byRank(places[at]) } : undefined })),
      symbolSize: isRank ? look.symbolSize + 2 : Math.max(3, look.symbolSize - 3),
      itemStyle: isRank ? { opacity: 0.9 } : { color: tones.text, opacity: 0.45 },
      cursor: "pointer",
      z: 3,
    };
    return {
      grid: { left: 30, right: 20, top: 12, bottom: 30, containLabel: true },
      xAxis: [side(x, { nameGap: 28 }), hidden()],
      yAxis: [side(y, { nameGap: 46 }), hidden()],
      tooltip: tooltip(tones, ({ data }) => describe(data.row), { trigger: "item" }),
      series: isRank ? [dots] : [this.ground(rows, x, y, colours), dots],
    };
  }

  /** Cells behind the points; the best colour is where the best results are. */
  ground(rows, x, y, colours) {
    const sign = this.store.isHighGood ? 1 : -1;
    const step = Math.max(1, Math.ceil(rows.length / MOST_FOR_SURFACE));
    const some = rows.filter((_, at) => at % step === 0);
    const cells = surface(some.map((row) => [x.share(row), y.share(row), row.metric]), CELLS);
    const colour = ramp(cells.map(([, , value]) => sign * value).sort((a, b) => a - b), colours);
    return {
      type: "heatmap",
      xAxisIndex: 1,
      yAxisIndex: 1,
      data: cells.map((cell) => ({ value: cell, itemStyle: { color: colour(sign * cell[2]), borderWidth: 0 } })),
      silent: true,
      tooltip: { show: false },
      z: 1,
    };
  }

  render() {
    return this.plot(`${this.kind === "rank" ? "Rank" : this.metricName} over ${this.across} and ${this.up}, ${count(this.rows.length)} trials`, "Points appear here when trials have results.", "high");
  }
}

/** The axis of the cells, of which nothing is seen. */
const hidden = () => ({ type: "category", data: Array.from({ length: CELLS }, (_, at) => String(at)), show: false });

define("pair-chart", PairChart);
