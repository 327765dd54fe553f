// An experiment as one that is simulated: the same search, with trials that are described instead of run.

const isName = (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** A result that has its best value in the middle of each range, to begin with. */
export function guessOf(space, goal = "maximize") {
  const parts = Object.entries(space ?? {}).flatMap(([name, entry]) => {
    const values = entry?._value;
    const [low, high] = Array.isArray(values) ? values : [];
    if (!isName(name) || typeof low !== "number" || typeof high !== "number" || !(low < high)) {
      return [];
    }
    if (/^q?loguniform$/.test(entry._type) && low > 0) {
      return [`((log(${name}) - ${digits((Math.log(low) + Math.log(high)) / 2)}) / ${digits(Math.log(high) - Math.log(low))}) ** 2`];
    }
    return /^(q?uniform|randint)$/.test(entry._type) ? [`((${name} - ${digits((low + high) / 2)}) / ${digits(high - low)}) ** 2`] : [];
  });
  if (parts.length === 0) {
    return "1";
  }
  return goal === "minimize" ? parts.join(" + ") : `1 - ${parts.join(" - ")}`;
}

const digits = (value) => (value < 0 ? `(${Number(value.toPrecision(4))})` : String(Number(value.toPrecision(4))));

/** @param wanted {objective, noise, duration, failures} of the trials */
export function simulated(model, wanted) {
  const { trialCommand: _, trialCodeDirectory: __, trialGpuNumber: ___, sharedStorage: ____, assessor: _____, ...rest } = model;
  const set = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== "" && value !== undefined));
  return { ...rest, trainingService: { platform: "simulated", ...set } };
}

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The medians of several runs: {seconds, trials, failed, best, bestAfter}. */
export function summary(runs) {
  const best = runs.filter((run) => run.best !== null);
  const counts = (run) => Object.values(run.trialCounts).reduce((sum, count) => sum + count, 0);
  return {
    seconds: middle(runs.map((run) => run.durationSeconds)),
    trials: middle(runs.map(counts)),
    failed: middle(runs.map((run) => run.trialCounts.FAILED ?? 0)),
    best: best.length > 0 ? middle(best.map((run) => run.best.metric)) : null,
    bestAfter: best.length > 0 ? middle(best.map((run) => run.best.afterSeconds)) : null,
  };
}
