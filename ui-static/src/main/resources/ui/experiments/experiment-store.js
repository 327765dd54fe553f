// One experiment as the server has it now: itself and its points, kept current by its stream.
// Fires "experiment", "points", "trials" (detail: the changed ones), "metrics" (detail: the new
// ones), "annotated" (detail: {trial, tags}, trial being null for the experiment itself), "metric" when another entry of the results counts, "reload" when lists must be read again,
// and "gone".
import { experiments } from "../api.js";
import { paced } from "../kit/pace.js";
import { recall, remember } from "../kit/remember.js";
import { News } from "../live/news.js";
import { Stream } from "../live/stream.js";
import { directionOf, isHighGood } from "../trials/direction.js";
import { Points } from "../trials/points.js";

const MAX_POINTS = 2000;
const REDRAW_MS = 400;
const THIN_OUT_MS = 5000;

export class ExperimentStore extends EventTarget {
  experiment = null;
  failure = null;
  points = null;
  /** When the server last said how the experiment is, in ms since the epoch. */
  heardAt = 0;
  #stream;
  /** Which entry of results that are objects the charts show, and which way it is good. */
  metric = { key: "default", mode: null };
  #news = new News();
  /** The trials that changed while points are being loaded, null when none are. */
  #meanwhile = null;
  #drawn = paced(() => this.#fire("points"), REDRAW_MS);
  #thinOut = paced(() => this.#loadPoints(), THIN_OUT_MS);

  constructor(id) {
    super();
    this.id = id;
    this.metric = recall(`metric.${id}`, this.metric);
    this.#stream = new Stream(id);
    this.#stream.addEventListener("reload", () => this.#load());
    this.#stream.addEventListener("experiment", ({ detail }) => this.#heard(detail));
    this.#stream.addEventListener("trials", ({ detail }) => this.#trials(detail.items));
    this.#stream.addEventListener("metrics", ({ detail }) => this.#fire("metrics", detail.items));
    this.#stream.addEventListener("annotated", ({ detail }) => {
      if (detail.trial === null) {
        this.#heard({ tags: detail.tags });
      }
      this.#fire("annotated", detail);
    });
    this.#stream.addEventListener("deleted", () => this.#fire("gone"));
  }

  open() {
    this.#stream.open();
  }

  close() {
    this.#stream.close();
    this.#drawn.cancel();
    this.#thinOut.cancel();
  }

  /** Sends a request that answers with the experiment, or with nothing, and takes the answer over. */
  ask(request) {
    return this.#news.during(request, (answer, newer) => {
      if (answer) {
        this.#merge(newer(answer));
      }
      return answer;
    });
  }

  /** The stream told; it says nothing of the configuration. */
  #heard(told) {
    this.#news.note(this.id, told);
    if (this.experiment) {
      this.#merge(told);
    } else if (this.failure) {
      this.#load();
    }
  }

  #merge(experiment) {
    this.experiment = { ...this.experiment, ...experiment };
    this.heardAt = Date.now();
    this.failure = null;
    this.#fire("experiment");
  }

  /** Whether more of what the charts show is better. */
  get isHighGood() {
    return isHighGood(directionOf(this.experiment, this.metric.key, this.metric.mode));
  }

  /** The order of trials in which the best result of what the charts show comes first; NaN has no place in it. */
  bestFirst(isTurned = false) {
    const field = this.metric.key === "default" ? "metric" : `metric.${this.metric.key}`;
    return { sort: (this.isHighGood !== isTurned ? "-" : "") + field, where: [`${field}<=Infinity`] };
  }

  /** @param metric key, and mode: maximize, minimize, or null; the goal of an objective goes before it */
  choose(metric) {
    this.metric = metric;
    remember(`metric.${this.id}`, metric);
    this.#fire("metric");
    return this.#loadPoints();
  }

  async #load() {
    try {
      await this.ask(() => experiments.get(this.id));
    } catch (refusal) {
      this.failure = refusal;
      this.#fire("experiment");
      return;
    }
    this.#fire("reload");
    await this.#loadPoints();
  }

  async #loadPoints() {
    // What happens while the answer is on its way may be newer than the answer.
    const meanwhile = (this.#meanwhile = []);
    try {
      const { key } = this.metric;
      const mode = this.isHighGood ? "maximize" : "minimize";
      const points = Points.of(await experiments.points(this.id, { maxPoints: MAX_POINTS, key, mode }), key);
      if (key !== this.metric.key) {
        return;
      }
      points.put(meanwhile);
      this.points = points;
      this.#fire("points");
    } catch {
      // The stream tells of a server that has gone, and loads again when it is back.
    }
    if (meanwhile === this.#meanwhile) {
      this.#meanwhile = null;
    }
  }

  #trials(items) {
    this.#fire("trials", items);
    this.#meanwhile?.push(...items);
    if (this.points) {
      this.points.put(items);
      this.#drawn();
      if (this.points.rows.length > 2 * MAX_POINTS) {
        this.#thinOut();
      }
    }
  }

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
