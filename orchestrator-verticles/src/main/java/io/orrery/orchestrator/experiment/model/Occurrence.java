package io.orrery.orchestrator.experiment.model;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.trial.TrialState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event that happens to an experiment, from outside or inside; the input of the model. */
public sealed interface Occurrence {
  /** The experiment begins, or continues after a restart of the server. */
  record Opened() implements Occurrence {}

  /** The tuner is there. */
  record TunerOpened(int tuner, int aheadLimit) implements Occurrence {}

  /** The tuner answered. */
  record Suggested(int tuner, Tuners.Suggestions suggestions) implements Occurrence {}

  /** The tuner does not know what it should: it is to be made anew. */
  record TunerLost(int tuner) implements Occurrence {}

  /** The tuner could not answer, for a reason that will not pass. */
  record TunerFailed(int tuner, String reason) implements Occurrence {}

  /** A delay of the experiment and its reason; null when the delay is over. */
  record Delayed(Delayer by, @Nullable String why) implements Occurrence {}

  /** The parties that an experiment may have to wait for. */
  enum Delayer {
    PLATFORM,
    TUNER,
    ASSESSOR
  }

  /** The assessor finds that an attempt is not worth its time. */
  record Assessed(AttemptRef attempt, String bad) implements Occurrence {}

  /** The assessor could not answer, for a reason that will not pass. */
  record AssessorFailed(String reason) implements Occurrence {}

  /** The platform cannot take part, for a reason that will not pass by itself. */
  record PlatformFailed(String reason) implements Occurrence {}

  /** Plans became durable. */
  record Committed(List<TrialId> planned) implements Occurrence {}

  /** The platform said something. */
  record Platform(PlatformEvent event) implements Occurrence {}

  /** The platform has no room now. */
  record Deferred(AttemptRef attempt, String reason) implements Occurrence {}

  /** The platform has given back what it had not begun to start. */
  record Withdrawn(AttemptRef attempt) implements Occurrence {}

  /** The platform will never run this attempt. */
  record NotSubmitted(AttemptRef attempt, String reason) implements Occurrence {}

  /** The platform does not know this attempt after a restart. */
  record NotAdopted(AttemptRef attempt) implements Occurrence {}

  /**
   * An attempt that runs asks for a further parameter set.
   *
   * @param index of the set, 1 or more
   */
  record SetAsked(AttemptRef attempt, int index) implements Occurrence {}

  /**
   * The final result of the attempt, if there is one, after all reports so far are stored.
   *
   * @param parameterId of the set that the result is of, as far as it says
   */
  record ResultCollected(
      AttemptRef attempt, @Nullable MetricValue result, @Nullable String parameterId)
      implements Occurrence {}

  /**
   * The last lines of what a failed attempt wrote to stderr.
   *
   * @param lines empty when there are none, or they cannot be read
   */
  record StderrRead(AttemptRef attempt, String lines) implements Occurrence {}

  /**
   * A final result came after its trial had settled, or had gone on from the set that it is of; the
   * trial is brought along.
   */
  record LateResult(TrialState trial, MetricValue result, @Nullable String parameterId)
      implements Occurrence {}

  /** The best of the trials that have settled; null when none has a usable result. */
  record BestFound(Experiment.@Nullable Best best) implements Occurrence {}

  /** A number of its trials are to end for others of a higher priority. */
  record Preempted(int trials) implements Occurrence {}

  /** An alarm went off. */
  record Woken() implements Occurrence {}

  /** A request of a user, which may be refused. */
  sealed interface Request extends Occurrence {}

  /** The user wants no more trials started for now. */
  record PauseAsked() implements Request {}

  /** The user wants it to go on. */
  record ResumeAsked() implements Request {}

  /** The user wants it to end. */
  record StopAsked() implements Request {}

  /** The user changed limits or search space. */
  record SpecChanged(ExperimentSpec spec) implements Request {}

  /** The user brings parameters of their own. */
  record TrialAdded(Parameters parameters) implements Request {}

  /** The user brings results of trials that ran elsewhere. */
  record ResultsImported(List<ImportedResult> results) implements Request {}

  /** The user wants a trial to end. */
  record TrialCancelAsked(TrialId trial) implements Request {}

  /** The user wants a trial run again; it has settled and is brought along from its table. */
  record TrialRetryAsked(TrialState settled) implements Request {}
}
