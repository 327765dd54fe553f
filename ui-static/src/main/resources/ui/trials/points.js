// Trials as the charts want them: few fields, one row each, in the order in which they were made.
// Of a large experiment the server sends a sample that keeps the extremes.
import { finite, lasted } from "../kit/format.js";

/** A trial's result under a key, null when it has none that can be drawn. */
export const metricOf = (trial, key) => finite(key === "default" ? trial.metric : trial.metricDocument?.[key]);

/** The row of a trial as the server shows it; `key` says which entry of its result counts. */
export const pointOf = (trial, key) => ({
  trial: trial.id,
  sequenceId: trial.sequenceId,
  status: trial.status,
  metric: metricOf(trial, key),
  duration: lasted(trial),
  startedAt: trial.startedAt,
  parameters: trial.parameters,
});

export class Points {
  rows = [];
  total = 0;
  key = "default";
  /** Which entries the results have. */
  keys = ["default"];
  #byTrial = new Map();

  /** @param columns what the server answers; @param key the entry of the results that was asked for */
  static of(columns, key) {
    const points = new Points();
    points.key = key;
    points.keys = columns.keys;
    points.total = columns.total;
    const names = Object.keys(columns.parameters);
    points.rows = columns.trial.map((trial, at) => ({
      trial,
      sequenceId: columns.sequenceId[at],
      status: columns.status[at],
      metric: finite(columns.metric[at]),
      duration: columns.duration[at],
      startedAt: columns.startedAt?.[at],
      parameters: Object.fromEntries(names.map((name) => [name, columns.parameters[name][at]])),
    }));
    points.rows.forEach((row) => points.#byTrial.set(row.trial, row));
    return points;
  }

  /** Takes over trials as the server shows them. */
  put(trials) {
    for (const trial of trials) {
      const row = pointOf(trial, this.key);
      const news = Object.keys(trial.metricDocument ?? {}).filter((name) => !this.keys.includes(name) && metricOf(trial, name) !== null);
      this.keys = news.length > 0 ? [...this.keys, ...news] : this.keys;
      const known = this.#byTrial.get(trial.id);
      if (known) {
        Object.assign(known, row);
      } else {
        this.rows.push(row);
        this.#byTrial.set(trial.id, row);
        this.total++;
      }
    }
  }

  get isSample() {
    return this.rows.length < this.total;
  }

  /** With a result, the best first. */
  ranked(isMaximized) {
    const sign = isMaximized ? -1 : 1;
    return this.rows.filter((row) => row.metric !== null).sort((a, b) => sign * (a.metric - b.metric));
  }

  /** Names of the parameters that vary or not, in the order in which they first appear. */
  get parameterNames() {
    const names = new Set();
    this.rows.forEach((row) => Object.keys(row.parameters ?? {}).forEach((name) => names.add(name)));
    return [...names];
  }

  /** The best so far after each result: pairs of sequence number and value. */
  bestSoFar(isMaximized) {
    const steps = [];
    let best = null;
    for (const row of [...this.rows].sort((a, b) => a.sequenceId - b.sequenceId)) {
      if (row.metric !== null && (best === null || (isMaximized ? row.metric > best : row.metric < best))) {
        best = row.metric;
        steps.push([row.sequenceId, best, row.trial]);
      }
    }
    return steps;
  }
}
