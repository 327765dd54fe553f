// A chart of the points of an experiment's store: drawn again when they change, a click opens the trial.
import { number, parameter } from "../kit/format.js";
import { statusWord } from "../kit/status.js";
import { Chart } from "../charts/chart.js";

const SHOWN_PARAMETERS = 8;

export class StoreChart extends Chart {
  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "points", () => (this.draw(), this.requestUpdate()));
    this.listen(this.store, "metric", () => this.requestUpdate());
  }

  attend(canvas) {
    canvas.on("click", (at) => at.data?.row && this.tell("trial", at.data.row.trial));
  }

  /** Those with a result. */
  get rows() {
    return this.store.points?.rows.filter((row) => row.metric !== null) ?? [];
  }

  /** What the charts call the metric. */
  get metricName() {
    const { key } = this.store.metric;
    return key === "default" ? "Metric" : key;
  }
}

/** The lines of a box at the pointer. */
export const describe = (row) => [
  [`No. ${row.sequenceId} · ${row.trial}`, number(row.metric)],
  ["status", statusWord(row.status)],
  ...Object.entries(row.parameters ?? {}).slice(0, SHOWN_PARAMETERS).map(([name, value]) => [name, parameter(value)]),
];

/** The size of a symbol and how much of it is seen through, for so many of them. */
export const symbols = (many) => (many > 2000 ? { symbolSize: 3, opacity: 0.5 } : many > 500 ? { symbolSize: 4, opacity: 0.6 } : { symbolSize: 7, opacity: 0.85 });
