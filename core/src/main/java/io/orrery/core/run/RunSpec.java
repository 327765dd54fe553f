package io.orrery.core.run;

import io.orrery.core.access.ProjectName;
import io.orrery.core.trial.Parameters;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A complete description of a run: nothing in it depends on anything that may change later.
 *
 * @param version of the pipeline, from 1
 * @param owner of the pipeline
 * @param runner who started the run, and owns it
 * @param trigger {@code manual} or {@code schedule}; of a run of one task {@code task} or {@code
 *     debug} and its name
 * @param due the instant of the schedule; null for a run that was started by hand
 * @param parallelism the most steps that run at once, 1 or more
 * @param cached whether steps may take outputs of earlier runs
 * @param onExit a step that runs when all others are over, however they ended; null for none
 * @param alerts null when its statuses are not told
 */
public record RunSpec(
    RunId id,
    String pipeline,
    int version,
    ProjectName project,
    String owner,
    String runner,
    String trigger,
    @Nullable Instant due,
    Parameters parameters,
    int parallelism,
    boolean cached,
    List<StepSpec> steps,
    @Nullable StepSpec onExit,
    @Nullable RunAlerts alerts) {
  /** The trigger of a run that is a build of an image; no user can start one with it. */
  public static final String BUILD = "build";

  /** The most steps of a run. */
  public static final int MOST_STEPS = 10_000;

  public RunSpec {
    steps = List.copyOf(steps);
  }

  /** The same with other steps in the place of its own. */
  public RunSpec with(List<StepSpec> others, @Nullable StepSpec otherExit) {
    return new RunSpec(
        id,
        pipeline,
        version,
        project,
        owner,
        runner,
        trigger,
        due,
        parameters,
        parallelism,
        cached,
        others,
        otherExit,
        alerts);
  }
}
