package io.orrery.compute.command;

import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import java.util.Map;
import java.util.TreeMap;

/**
 * The variable with the tags that MLflow's Python client gives to each run that it begins: a run
 * that a trial logs names the trial. It says nothing of where to log to.
 */
public final class RunContext {
  /** The name of the variable. */
  public static final String VARIABLE = "MLFLOW_RUN_CONTEXT";

  private RunContext() {}

  /** The value of the variable for a trial: a JSON object of tags. */
  public static String of(TrialRef trial) {
    Map<String, String> tags = new TreeMap<>();
    tags.put(TrialRuns.EXPERIMENT_TAG, trial.experiment().value());
    tags.put(TrialRuns.TRIAL_TAG, trial.trial().value());
    return Json.write(tags);
  }
}
