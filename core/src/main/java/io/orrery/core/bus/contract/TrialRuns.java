package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.Tracking.ExperimentPage;
import io.orrery.core.bus.contract.Tracking.FindExperiment;
import io.orrery.core.bus.contract.Tracking.History;
import io.orrery.core.bus.contract.Tracking.HistoryOf;
import io.orrery.core.bus.contract.Tracking.OfRun;
import io.orrery.core.bus.contract.Tracking.RunPage;
import io.orrery.core.bus.contract.Tracking.RunState;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.Tracking.TrackedRun;

/**
 * Questions about experiments and their trials in the form of {@link Tracking}: a trial is a run
 * that is read and not changed. The orchestrator answers. The ids are those of {@link
 * io.orrery.core.tracking.TrialRunId}.
 *
 * <p>Parameters are those that the trial's result belongs to. The metric {@code default} is the
 * final result, or the last intermediate one while there is none; an object's other numbers have
 * their keys. Filters and orders compare final results.
 */
public final class TrialRuns {
  /** The tag that has the id of the experiment of a trial. */
  public static final String EXPERIMENT_TAG = "orrery.experiment";

  /** The tag that has the id of a trial. */
  public static final String TRIAL_TAG = "orrery.trial";

  /** The tag that has the project of a trial or experiment. */
  public static final String PROJECT_TAG = "orrery.project";

  /** The tag that has the status of a trial or experiment in the words of this server. */
  public static final String STATUS_TAG = "orrery.status";

  /** The value of the tags that people gave. */
  public static final String TAGGED = "true";

  /** An experiment by its id, or by its name; NotFound. */
  public static final Address<FindExperiment, TrackedExperiment> EXPERIMENT =
      new Address<>("trialruns.experiment", FindExperiment.class, TrackedExperiment.class);

  public static final Address<SearchExperiments, ExperimentPage> EXPERIMENTS =
      new Address<>("trialruns.experiments", SearchExperiments.class, ExperimentPage.class);

  /** A trial with parameters and results; NotFound. */
  public static final Address<OfRun, TrackedRun> RUN =
      new Address<>("trialruns.run", OfRun.class, TrackedRun.class);

  /** The owner of a trial; NotFound. */
  public static final Address<OfRun, RunState> STATE =
      new Address<>("trialruns.state", OfRun.class, RunState.class);

  public static final Address<SearchRuns, RunPage> RUNS =
      new Address<>("trialruns.runs", SearchRuns.class, RunPage.class).waiting(Address.LONG);

  /**
   * The intermediate results of a trial's last attempt by their sequence numbers, then its final
   * result one step further. An answer ends after a number of points that were looked at, so it may
   * have few or none though there are more.
   */
  public static final Address<HistoryOf, History> HISTORY =
      new Address<>("trialruns.history", HistoryOf.class, History.class).waiting(Address.LONG);

  private TrialRuns() {}
}
