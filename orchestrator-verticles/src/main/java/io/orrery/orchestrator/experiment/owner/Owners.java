package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.vertx.core.Future;

/** The messages between the owner of an experiment and the directory. */
public final class Owners {
  /** The owner has nothing left to do and may be put away. */
  public static final Address<Retire, Noted> RETIRE =
      new Address<>("owners.retire", Retire.class, Noted.class);

  /** A final result came for a trial of an experiment that is over. */
  public static final Address<Late, Noted> LATE =
      new Address<>("owners.late", Late.class, Noted.class);

  private Owners() {}

  public record Retire(ExperimentId id) {}

  public record Late(MetricPoint point) {}

  public record Noted() {}

  /** Where requests to the present owner arrive: two owners never share an address. */
  static String place(ExperimentId id, long epoch) {
    return id + "." + epoch;
  }

  /** The stored experiment; fails with NotFound. */
  public static Future<ExperimentRecord> stored(ExperimentTable experiments, ExperimentId id) {
    return experiments.find(id).map(found -> found.orElseThrow(() -> noExperiment(id)));
  }

  public static ProblemException noExperiment(ExperimentId id) {
    return new Problem.NotFound("there is no experiment " + id).toException();
  }

  public static ProblemException noTrial(TrialRef trial) {
    return new Problem.NotFound(
            "experiment " + trial.experiment() + " has no trial " + trial.trial())
        .toException();
  }
}
