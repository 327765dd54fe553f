package io.orrery.orchestrator.trial;

import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialLife.Signal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A trial in memory. Owned by one experiment's model and changed by it alone; {@link #view} is what
 * others see. The file is longer than 400 lines, because each step of a trial's life has a method
 * here and all of them change the same fields.
 */
public final class TrialState {
  /** Why a planned trial waits when nothing else is in its way. */
  public static final String FOR_A_SLOT = "waits for a free slot (trialConcurrency)";

  public final TrialRef ref;
  public final long sequence;
  public final Instant createdAt;

  private GivenSets sets;
  private Phase phase;
  private TrialStatus status;
  private int attempt = 1;
  private @Nullable String reason;
  private @Nullable TrialStatus ending;
  private @Nullable Instant notBefore;
  private @Nullable Integer exitCode;
  private @Nullable String directory;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private @Nullable Stored row;

  /**
   * A trial that has just been planned.
   *
   * @param sets what it was given, by index: one, unless it comes from elsewhere
   */
  public TrialState(TrialRef ref, long sequence, List<GivenSet> sets, Instant createdAt) {
    this.ref = ref;
    this.sequence = sequence;
    this.sets = new GivenSets(sets);
    this.createdAt = createdAt;
    this.phase = Phase.PLANNED;
    this.status = TrialStatus.WAITING;
    this.reason = FOR_A_SLOT;
  }

  /** A trial that succeeded elsewhere: it has settled without having run. */
  public static TrialState imported(
      TrialRef ref,
      long sequence,
      GivenSet parameters,
      MetricValue result,
      long settledOrdinal,
      Instant at) {
    return new TrialState(ref, sequence, List.of(parameters), at)
        .restore(
            new Stored(
                Phase.SETTLED,
                TrialStatus.SUCCEEDED,
                1,
                "its result was imported: it did not run here",
                null,
                null,
                result,
                null,
                null,
                null,
                at,
                settledOrdinal));
  }

  /** The stored fields of a trial that can change. */
  public record Stored(
      Phase phase,
      TrialStatus status,
      int attempt,
      @Nullable String reason,
      @Nullable TrialStatus ending,
      @Nullable Instant notBefore,
      @Nullable MetricValue metric,
      @Nullable Integer exitCode,
      @Nullable String directory,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Long settledOrdinal) {}

  /** Puts back what was stored. */
  public TrialState restore(Stored stored) {
    phase = stored.phase();
    status = stored.status();
    attempt = stored.attempt();
    reason = stored.reason();
    ending = stored.ending();
    notBefore = stored.notBefore();
    exitCode = stored.exitCode();
    directory = stored.directory();
    startedAt = stored.startedAt();
    endedAt = stored.endedAt();
    sets = sets.restored(stored.metric(), stored.settledOrdinal());
    return this;
  }

  /** What is to be stored. */
  public Stored stored() {
    return new Stored(
        phase,
        status,
        attempt,
        reason,
        ending,
        notBefore,
        sets.metric(),
        exitCode,
        directory,
        startedAt,
        endedAt,
        sets.settledOrdinal());
  }

  /** What its row holds; null while that is not known, or there is none. */
  public @Nullable Stored row() {
    return row;
  }

  /** Its row has been read, or is written; or with null, is being written. */
  public TrialState rowIs(@Nullable Stored now) {
    row = now;
    return this;
  }

  public Phase phase() {
    return phase;
  }

  public TrialStatus status() {
    return status;
  }

  public AttemptRef attempt() {
    return new AttemptRef(ref, attempt);
  }

  /** What it was given, and what came of that until now. */
  public GivenSets sets() {
    return sets;
  }

  /** Puts back what was stored of one of several sets. */
  public void recall(
      int index, long suggested, @Nullable Long settled, @Nullable TrialStatus status) {
    sets = sets.recalled(index, suggested, settled, status);
  }

  public @Nullable String reason() {
    return reason;
  }

  /** Whether it runs and its end was not asked for. */
  public boolean mayBeAssessed() {
    return ending == null && (phase == Phase.SUBMITTED || phase == Phase.RUNNING);
  }

  /** Returns the status that it is to end with, once its end was asked for. */
  public Optional<TrialStatus> ending() {
    return Optional.ofNullable(ending);
  }

  public Optional<Instant> notBefore() {
    return Optional.ofNullable(notBefore);
  }

  public Optional<Instant> startedAt() {
    return Optional.ofNullable(startedAt);
  }

  public @Nullable Integer exitCode() {
    return exitCode;
  }

  /** Moves on by the table; false when the signal means nothing now. */
  private boolean advance(Signal signal) {
    Optional<Phase> next = TrialLife.next(phase, signal);
    next.ifPresent(to -> phase = to);
    return next.isPresent();
  }

  public boolean submit() {
    if (!advance(Signal.SUBMIT)) {
      return false;
    }
    reason = "waits for its platform to start it";
    return true;
  }

  /** A plan that nothing holds back but this; false when something else does. */
  public boolean heldBackBy(String why) {
    if (phase != Phase.PLANNED || notBefore != null || why.equals(reason)) {
      return false;
    }
    reason = why;
    return true;
  }

  /**
   * It is not on its platform: it waits again.
   *
   * @param why its new reason, null when nothing is in its way
   * @param until when to try again, null to keep what was set before
   */
  public boolean defer(@Nullable String why, @Nullable Instant until) {
    if (!advance(Signal.DEFER)) {
      return false;
    }
    reason = why == null ? FOR_A_SLOT : why;
    notBefore = until == null ? notBefore : until;
    return true;
  }

  /** It waits for this reason; false when that is nothing new. */
  public boolean waits(String why) {
    if (phase.inFlight() && status == TrialStatus.WAITING && !why.equals(reason)) {
      reason = why;
      return true;
    }
    return false;
  }

  public boolean start(Instant at, String where) {
    if (!advance(Signal.START)) {
      return seenAgain();
    }
    status = TrialStatus.RUNNING;
    startedAt = at;
    directory = where;
    reason = ending == null ? null : reason;
    return true;
  }

  private boolean seenAgain() {
    if (phase != Phase.RUNNING || status != TrialStatus.UNKNOWN) {
      return false;
    }
    status = TrialStatus.RUNNING;
    reason = null;
    return true;
  }

  /** Something is to be known of it while it runs; false when that is nothing new. */
  public boolean note(String what) {
    if (phase != Phase.RUNNING || status != TrialStatus.RUNNING || what.equals(reason)) {
      return false;
    }
    reason = what;
    return true;
  }

  /** The platform cannot be asked; false when that is nothing new. */
  public boolean unreachable(String why) {
    if (phase != Phase.RUNNING || status == TrialStatus.UNKNOWN) {
      return false;
    }
    status = TrialStatus.UNKNOWN;
    reason = why;
    return true;
  }

  /** Notes that it shall end; false when it has ended, or its end was asked for before. */
  public boolean askToEnd(TrialStatus as, String why) {
    boolean over = phase == Phase.VACATED || phase == Phase.SETTLING || phase == Phase.SETTLED;
    if (ending != null || over) {
      return false;
    }
    ending = as;
    reason = why;
    return true;
  }

  public boolean vacate() {
    return advance(Signal.VACATE);
  }

  public boolean end(Instant at, @Nullable Integer code, @Nullable String why) {
    if (!advance(Signal.END)) {
      return false;
    }
    endedAt = at;
    exitCode = code;
    if (ending == null) {
      reason = code == null || code == 0 ? why : failure(code, why, startedAt != null);
    }
    return true;
  }

  /** Platforms give a trial that failed for certain and never ran a code all the same. */
  private static String failure(int code, @Nullable String why, boolean ran) {
    if (why == null) {
      return ExitCodes.sentence(code);
    }
    return ran ? ExitCodes.sentence(code) + "; " + why : why;
  }

  /** Whether its command failed of its own accord. */
  public boolean hasFailed() {
    return ending == null && exitCode != null && exitCode != 0;
  }

  /** The last lines that it wrote to stderr complete the reason; false when they are there. */
  public boolean explain(String stderr) {
    if (phase != Phase.SETTLING || reason == null || stderr.isEmpty() || reason.contains("\n")) {
      return false;
    }
    reason = reason + "; its last lines on stderr:\n" + stderr;
    return true;
  }

  /** It goes on from a set, with this result of it. */
  public boolean goOn(GivenSet from, @Nullable MetricValue result, LongSupplier ordinals) {
    sets = sets.ended(from.set().index(), TrialStatus.SUCCEEDED, result, ordinals.getAsLong());
    return true;
  }

  /** It is given another set. */
  public boolean give(ParameterSet set, LongSupplier ordinals) {
    sets = sets.with(set, ordinals.getAsLong());
    return true;
  }

  /**
   * Its final status and result; it is over.
   *
   * @param result of the set that {@code parameterId} names
   * @param direction which result of several sets is its own
   */
  public boolean settle(
      TrialStatus as,
      @Nullable MetricValue result,
      @Nullable String parameterId,
      Direction direction,
      LongSupplier ordinals) {
    return advance(Signal.SETTLE) && finish(as, result, parameterId, direction, ordinals);
  }

  /** It ends without having started. */
  public boolean abandon(
      Instant at, TrialStatus as, String why, Direction direction, LongSupplier ordinals) {
    if (!advance(Signal.ABANDON)) {
      return false;
    }
    endedAt = at;
    reason = why;
    return finish(as, null, null, direction, ordinals);
  }

  private boolean finish(
      TrialStatus as,
      @Nullable MetricValue result,
      @Nullable String parameterId,
      Direction direction,
      LongSupplier ordinals) {
    status = as;
    sets = sets.settled(as, result, parameterId, direction, ordinals);
    if (as == TrialStatus.SUCCEEDED && reason == null && sets.metric() == null) {
      reason = "it ended without a final result";
    }
    if (as == TrialStatus.FAILED && reason == null) {
      reason = exitCode == null ? "it failed" : ExitCodes.sentence(exitCode);
    }
    return true;
  }

  /**
   * A result that came after it had settled, or had gone on from the set that it belongs to; a new
   * place in the history tells the tuner.
   */
  public boolean correct(
      GivenSet set, MetricValue result, Direction direction, LongSupplier ordinals) {
    sets = sets.corrected(set, result, direction, ordinals);
    return true;
  }

  /**
   * It is planned again, as its next attempt.
   *
   * @param earliest when it may start, null for at once
   */
  public boolean again(@Nullable Instant earliest, String why) {
    if (!advance(Signal.AGAIN)) {
      return false;
    }
    attempt++;
    status = TrialStatus.WAITING;
    reason = why;
    notBefore = earliest;
    ending = null;
    exitCode = null;
    startedAt = null;
    endedAt = null;
    directory = null;
    sets = sets.again();
    return true;
  }

  /** This attempt for the platform: it begins with the first set. */
  public Submission submission(JobSpec job) {
    return new Submission(attempt(), sequence, sets.all().getFirst().set(), job);
  }

  /** What came to an end, for its tuner: from this place in the history on. */
  public List<Trials.Settled> ends(long fromOrdinal) {
    List<Trials.Settled> ends = sets.ends(ref.trial(), status, fromOrdinal);
    return sets.several()
        ? ends
        : ends.stream().map(end -> TrialDuration.of(end, startedAt, endedAt)).toList();
  }

  /** The trial as others see it. */
  public Trial view() {
    return new Trial(
        ref,
        sequence,
        status,
        reason,
        attempt,
        sets.parameters(),
        sets.metric(),
        exitCode,
        directory,
        createdAt,
        startedAt,
        endedAt,
        List.of());
  }
}
