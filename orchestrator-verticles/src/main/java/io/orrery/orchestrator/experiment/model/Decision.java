package io.orrery.orchestrator.experiment.model;

import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An action that the model decided on. Actions {@link AtOnce} follow from what is durable already,
 * or can be lost without harm. Actions {@link AfterCommit} wait for the commit of the state that
 * they were decided in.
 */
public sealed interface Decision {
  /** An action that may be carried out at once. */
  sealed interface AtOnce extends Decision {}

  /** Waits until the state is durable. */
  sealed interface AfterCommit extends Decision {}

  /**
   * Asks the tuner for parameters; its answer comes back as {@link Occurrence.Suggested}.
   *
   * @param tuner which tuner is meant: counts those that this experiment has had since it was
   *     opened
   */
  record Ask(int tuner, int count, long firstNumber) implements AtOnce {}

  /** Submits an attempt to its platform; its plan is durable. */
  record Submit(Submission submission) implements AtOnce {}

  /**
   * Withdraws an attempt that its platform has not begun to start; if that succeeds, it comes back
   * as {@link Occurrence.Withdrawn}.
   */
  record Withdraw(AttemptRef attempt) implements AtOnce {}

  /** Reads the attempt's final result; it comes back as {@link Occurrence.ResultCollected}. */
  record CollectResult(AttemptRef attempt, Duration delay) implements AtOnce {}

  /**
   * Reads the last lines that a failed attempt wrote to stderr; they come back as {@link
   * Occurrence.StderrRead}.
   */
  record ReadStderr(AttemptRef attempt) implements AtOnce {}

  /**
   * Reads the attempt's last intermediate result, because it has no final one; it comes back as
   * {@link Occurrence.ResultCollected} as well.
   */
  record CollectLatest(AttemptRef attempt) implements AtOnce {}

  /** Tells the tuner how a trial ended. */
  record Tell(int tuner, Trials.Settled settled) implements AtOnce {}

  /** Rebuilds the tuner with this specification and the history up to an ordinal. */
  record OpenTuner(int tuner, ExperimentSpec spec, long throughOrdinal) implements AfterCommit {}

  /**
   * Answers an attempt that asked for a further parameter set.
   *
   * @param set null when there is none
   */
  record GiveSet(AttemptRef attempt, int index, @Nullable ParameterSet set)
      implements AfterCommit {}

  /** Ends an attempt on its platform. */
  record CancelAttempt(AttemptRef attempt) implements AfterCommit {}

  /** Looks up the best trial; it comes back as {@link Occurrence.BestFound}. */
  record FindBest() implements AfterCommit {}

  /** Closes the owner, because nothing moves any more. */
  record Retire() implements AfterCommit {}
}
