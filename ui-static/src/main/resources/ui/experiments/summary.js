// Everything about an experiment in one file: itself, its trials and their intermediate results.
import { experiments, trials } from "../api.js";
import { download } from "../kit/download.js";
import { attempt } from "../shell/toasts.js";

const PAGE = 1000;
const POINTS_PER_CURVE = 1000;

async function all(id) {
  const items = [];
  let cursor = null;
  do {
    const page = await trials.list(id, { limit: PAGE, sort: "sequenceId", cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return items;
}

/** Gathers it and hands it to the browser as a download. */
export function downloadSummary(experiment) {
  return attempt(async () => {
    const items = await all(experiment.id);
    const names = items.map((trial) => trial.id);
    const summary = {
      experiment: await experiments.get(experiment.id),
      trials: items,
      intermediates: await experiments.curves(experiment.id, names, { maxPoints: POINTS_PER_CURVE }),
    };
    download(`${experiment.id}-summary.json`, JSON.stringify(summary, null, 2), "application/json");
  }, "Summary saved");
}
