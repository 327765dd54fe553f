package io.orrery.orchestrator.experiment.model;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.orchestrator.experiment.model.Occurrence.Delayer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an experiment without its trials: its specification, status and times, and what
 * its limits still allow.
 */
final class ExperimentProgress {
  private final Stopwatch stopwatch;
  private final Runnable touched;

  private ExperimentSpec spec;
  private ExperimentStatus status;
  private long created;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private @Nullable String error;

  /** Why it waits, by whom it waits for; what the platform says is said first. */
  private final Map<Delayer, String> delays = new EnumMap<>(Delayer.class);

  /**
   * @param touched called whenever something changed that is to be stored
   */
  ExperimentProgress(ExperimentRecord record, Runnable touched) {
    this.stopwatch = new Stopwatch(record.ran());
    this.touched = touched;
    this.spec = record.spec();
    this.status = record.status();
    this.created = record.created();
    this.startedAt = record.startedAt();
    this.endedAt = record.endedAt();
    this.error = record.error();
  }

  ExperimentSpec spec() {
    return spec;
  }

  ExperimentStatus status() {
    return status;
  }

  /** How many trials were planned, withdrawn ones not counted; imported ones were not. */
  long created() {
    return created;
  }

  @Nullable Instant startedAt() {
    return startedAt;
  }

  @Nullable Instant endedAt() {
    return endedAt;
  }

  @Nullable String error() {
    return error;
  }

  /** How long it has been running. */
  Duration ran(Instant now) {
    return stopwatch.elapsed(now);
  }

  // ---- limits --------------------------------------------------------------------------------

  /** How many more trials it may have. */
  long room() {
    return spec.limits().maxTrialNumber() == null
        ? Long.MAX_VALUE
        : spec.limits().maxTrialNumber() - created;
  }

  boolean outOfTime(Instant now) {
    Duration limit = spec.limits().maxExperimentDuration();
    return limit != null && ran(now).compareTo(limit) >= 0;
  }

  /** Whether maxTrialNumber and maxExperimentDuration allow another trial. */
  boolean withinLimits(Instant now) {
    return room() > 0 && !outOfTime(now);
  }

  /** Whether it is under way: not over, nor ending. */
  boolean goingOn() {
    return switch (status) {
      case RUNNING, NO_MORE_TRIAL, PAUSED -> true;
      case INITIALIZED, STOPPING, STOPPED, DONE, FAILED, ERROR, VIEWED -> false;
    };
  }

  /** Whether another trial may be planned. */
  boolean mayPlan(Instant now) {
    return goingOn() && withinLimits(now);
  }

  /** Whether plans are launched; the time that passes then is execution time. */
  boolean launching() {
    return status == ExperimentStatus.RUNNING || status == ExperimentStatus.NO_MORE_TRIAL;
  }

  /** When maxExperimentDuration will be reached, if it is the stopwatch that runs towards it. */
  Optional<Instant> deadline(Instant now) {
    Duration limit = spec.limits().maxExperimentDuration();
    return limit == null || !stopwatch.running() || outOfTime(now)
        ? Optional.empty()
        : Optional.of(now.plus(limit).minus(ran(now)));
  }

  // ---- changes -------------------------------------------------------------------------------

  void spec(ExperimentSpec changed) {
    spec = changed;
    touched.run();
  }

  void status(ExperimentStatus to) {
    if (status != to) {
      status = to;
      touched.run();
    }
  }

  void planned() {
    created++;
    touched.run();
  }

  void withdrawn() {
    created--;
    touched.run();
  }

  void begin(Instant now) {
    status(ExperimentStatus.RUNNING);
    startedAt = now;
  }

  void fail(String why) {
    status(ExperimentStatus.ERROR);
    error = why;
  }

  /**
   * Records why tuner, platform or another part delays the experiment; a null reason ends the
   * delay. An experiment that is over, or ending, keeps the reason that it has.
   */
  void delayed(Delayer by, @Nullable String why) {
    if (why == null) {
      delays.remove(by);
    } else {
      delays.put(by, why);
    }
    waits(delays.values().stream().findFirst().orElse(null));
  }

  /** Forgets all delays, when the experiment begins again. */
  void undelayed() {
    delays.clear();
    waits(null);
  }

  private void waits(@Nullable String why) {
    if (goingOn() && !Objects.equals(error, why)) {
      error = why;
      touched.run();
    }
  }

  void over(ExperimentStatus as, @Nullable String why, Instant now) {
    status(as);
    error = why;
    endedAt = now;
    touched.run();
  }

  void reopen() {
    status(ExperimentStatus.RUNNING);
    endedAt = null;
    error = null;
  }

  /** Lets the stopwatch run, or holds it, as the status says. */
  void keepTime(Instant now) {
    stopwatch.run(launching(), now);
  }

  boolean timeRuns() {
    return stopwatch.running();
  }
}
