// Tracked experiments and runs, those of trials among them: MLflow's API, which the server speaks.
import { chosen } from "../people/chosen-project.js";
import { query, send } from "./request.js";

const ROOT = "api/2.0/mlflow/";
const FILES = "api/2.0/mlflow-artifacts/artifacts/";
const OF_EXPERIMENT = "experiment-";

const get = async (name, values) => (await send("GET", ROOT + name + query(values))).json();
const post = async (name, value, headers = {}) => (await send("POST", ROOT + name, JSON.stringify(value), undefined, headers)).json();

/** The id of an experiment of this server under the id that clients know it by; null for one that a client logged. */
export const ownExperiment = (id) => (id.startsWith(OF_EXPERIMENT) ? id.slice(OF_EXPERIMENT.length) : null);

const PAGE_OF_POINTS = 20_000;
const MOST_POINTS = 100_000;

/** A number as MLflow writes it; null for one that is not finite. */
export const numberOf = (value) => (typeof value === "number" ? value : null);

export const tracking = {
  /** {experiments, next_page_token}, of the chosen project. */
  async experiments({ filter, order = [], limit, token }) {
    await chosen.known();
    const headers = chosen.name ? { "Orrery-Project": chosen.name } : {};
    return post("experiments/search", { filter, order_by: order, max_results: limit, page_token: token }, headers);
  },
  experiment: async (id) => (await get("experiments/get", { experiment_id: id })).experiment,
  /** {runs, next_page_token}. */
  runs: ({ experiments, filter, order = [], limit, token }) =>
    post("runs/search", { experiment_ids: experiments, filter, order_by: order, max_results: limit, page_token: token }),
  run: async (id) => (await get("runs/get", { run_id: id })).run,
  /** The points [step, value] of a metric, to a bound; `isCut` says that there are more. */
  async history(id, metric) {
    const points = [];
    let token;
    do {
      const page = await get("metrics/get-history", { run_id: id, metric_key: metric, max_results: PAGE_OF_POINTS, page_token: token });
      page.metrics.forEach((point) => points.push([Number(point.step), numberOf(point.value)]));
      token = page.next_page_token;
    } while (token && points.length < MOST_POINTS);
    return { points: points.sort((a, b) => a[0] - b[0]), isCut: Boolean(token) };
  },
  /** The first {path, is_dir, file_size} in a directory; `isCut` says that there are more. */
  async artifacts(id, path) {
    const page = await get("artifacts/list", { run_id: id, path });
    return { files: page.files ?? [], isCut: Boolean(page.next_page_token) };
  },
  artifactAddress: (run, path) =>
    FILES + [run.info.experiment_id, run.info.run_id, "artifacts", ...path.split("/")].map(encodeURIComponent).join("/"),
};
