// One experiment as the server has it now: itself and its points, kept current by its stream.
// Fires "experiment", "points", "trials" (detail: the changed ones), "metrics" (detail: the new
// ones), "reload" when lists must be read again, and "gone".
import { experiments } from "../api.js";
import { paced } from "../kit/pace.js";
import { Stream } from "../live/stream.js";
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
  #told = 0;
  /** The trials that changed while points are being loaded, null when none are. */
  #meanwhile = null;
  #drawn = paced(() => this.#fire("points"), REDRAW_MS);
  #thinOut = paced(() => this.#loadPoints(), THIN_OUT_MS);

  constructor(id) {
    super();
    this.id = id;
    this.#stream = new Stream(id);
    this.#stream.addEventListener("reload", () => this.#load());
    this.#stream.addEventListener("experiment", ({ detail }) => {
      this.#told++;
      this.merge(detail);
    });
    this.#stream.addEventListener("trials", ({ detail }) => this.#trials(detail.items));
    this.#stream.addEventListener("metrics", ({ detail }) => this.#fire("metrics", detail.items));
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

  /** Takes over what the server said about the experiment; its configuration stays when it is not repeated. */
  merge(experiment) {
    this.experiment = { ...this.experiment, ...experiment };
    this.heardAt = Date.now();
    this.failure = null;
    this.#fire("experiment");
  }

  get isMaximized() {
    return this.experiment?.optimizeMode !== "minimize";
  }

  async #load() {
    const told = this.#told;
    try {
      const answer = await experiments.get(this.id);
      // What the stream told meanwhile is newer; it has no configuration.
      this.merge(told === this.#told ? answer : { ...answer, ...this.experiment });
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
      const points = Points.of(await experiments.points(this.id, MAX_POINTS));
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
