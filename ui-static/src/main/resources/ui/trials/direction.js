// Which way a metric is good.

/**
 * "maximize" or "minimize" for an entry of the results. An objective has its goal, `default` the goal of the
 * first objective; any other entry has what the reader chose, and the goal of the search until then.
 *
 * @param experiment as the server shows it: objectives [{metric, goal}], optimizeMode
 * @param key an entry of the results
 * @param chosen what the reader said of this entry, null for nothing
 */
export function directionOf(experiment, key, chosen = null) {
  return goalOf(experiment, key) ?? chosen ?? experiment?.optimizeMode ?? "maximize";
}

/** What the configuration says about an entry of the results; undefined where it says nothing. */
export function goalOf(experiment, key) {
  const objectives = experiment?.objectives ?? [];
  const named = objectives.find((objective) => objective.metric === key);
  return named?.goal ?? (key === "default" ? objectives[0]?.goal : undefined);
}

/** Whether more is better. */
export const isHighGood = (direction) => direction !== "minimize";

/** "higher" or "lower", for labels. */
export const betterWord = (direction) => (isHighGood(direction) ? "higher" : "lower");
