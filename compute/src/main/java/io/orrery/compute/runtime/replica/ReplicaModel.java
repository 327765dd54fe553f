package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.replica.ReplicaProgram.Delay;
import io.orrery.compute.runtime.replica.ReplicaState.Input;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a replica and what is known of its programs. Pure: each method gives the model after
 * something has happened, and the same model when that means nothing in its state.
 *
 * @param since when it came into its state
 * @param reason a sentence; null when there is nothing to say
 * @param restarts how often its program was started again
 * @param failures ends of programs in a row, none of which ran for long
 * @param missed failed probes in a row
 * @param due when it tries again, in BACKOFF and FAILED
 * @param exitCode of the last program that ended; null when none did, or it is not known
 * @param lastLines of the last program that ended
 */
record ReplicaModel(
    ReplicaState state,
    Instant since,
    @Nullable String reason,
    int restarts,
    int failures,
    int missed,
    @Nullable Instant due,
    @Nullable Integer exitCode,
    List<String> lastLines) {
  /** The failed probes in a row after which a replica that was ready is not. */
  static final int MOST_MISSED = 3;

  ReplicaModel {
    lastLines = List.copyOf(lastLines);
  }

  /** A replica whose program was never started. */
  static ReplicaModel fresh(Instant now) {
    return new ReplicaModel(ReplicaState.WAITING, now, null, 0, 0, 0, null, null, List.of());
  }

  /** A replica of an earlier server. */
  static ReplicaModel found(ReplicaState state, Instant since, int restarts, int failures) {
    return new ReplicaModel(state, since, null, restarts, failures, 0, null, null, List.of());
  }

  /** It waits, for this reason. */
  ReplicaModel waiting(@Nullable String why) {
    return state == ReplicaState.WAITING ? because(why) : this;
  }

  /** Its program was started. */
  ReplicaModel launched(Instant now, int number) {
    ReplicaModel next = on(Input.LAUNCHED, now, null);
    return next.equals(this)
        ? this
        : new ReplicaModel(
            next.state, now, null, number - 1, failures, 0, null, exitCode, lastLines);
  }

  /** It cannot run, for this reason, and is looked at again when it is due. */
  ReplicaModel impossible(Instant now, String why, Instant again) {
    ReplicaModel next = on(Input.IMPOSSIBLE, now, why);
    return next.equals(this) ? this : next.due(again);
  }

  /** Its probe has succeeded, or it needs none. */
  ReplicaModel answered(Instant now) {
    ReplicaModel next = on(Input.ANSWERED, now, null);
    return next.equals(this) && missed > 0 && state.isUp()
        ? missed(0).because(null)
        : next.missed(0);
  }

  /** Its probe has failed, for this reason. */
  ReplicaModel unanswered(Instant now, String why) {
    if (!state.isUp()) {
      return this;
    }
    ReplicaModel counted = missed(Math.min(missed + 1, MOST_MISSED));
    return switch (state) {
      case READY -> counted.missed < MOST_MISSED ? counted : counted.on(Input.UNANSWERED, now, why);
      default -> counted.because(why);
    };
  }

  /**
   * Its program has ended, or is to be ended.
   *
   * @param failuresNow ends in a row with this one
   */
  ReplicaModel ended(Instant now, String why, int failuresNow) {
    ReplicaModel next = on(Input.ENDED, now, why);
    return next.equals(this)
        ? this
        : new ReplicaModel(
            next.state, now, why, restarts, failuresNow, 0, null, exitCode, lastLines);
  }

  /** The end of its program is known, after {@link #ended}. */
  ReplicaModel told(@Nullable Integer code, List<String> lines) {
    return new ReplicaModel(state, since, reason, restarts, failures, missed, due, code, lines);
  }

  /** Nothing of it runs any more; in CLEARING it is started again when it is due. */
  ReplicaModel cleared(Instant now, Instant again) {
    ReplicaModel next = on(Input.CLEARED, now, reason);
    return next.state == ReplicaState.BACKOFF ? next.due(again) : next;
  }

  /** Tries again when the time has come. */
  ReplicaModel dueAt(Instant now) {
    return due == null || now.isBefore(due) ? this : on(Input.DUE, now, reason).due(null);
  }

  /** It is asked to end. */
  ReplicaModel drained(Instant now) {
    return on(Input.DRAINED, now, null).due(null);
  }

  /**
   * The replica as users see it.
   *
   * @param addresses of its program, shown while that is up
   * @param delay what its start waits for; null when it does not
   */
  Replica shown(ReplicaRef ref, Map<String, String> addresses, @Nullable Delay delay) {
    ReplicaPhase phase = state.phase();
    if (state == ReplicaState.STARTING && delay != null) {
      phase = delay.isFailure() ? ReplicaPhase.FAILED : ReplicaPhase.WAITING;
    }
    return new Replica(
        ref,
        phase,
        reason,
        state.isUp() ? addresses : Map.of(),
        restarts,
        exitCode,
        lastLines,
        since);
  }

  private ReplicaModel on(Input input, Instant now, @Nullable String why) {
    ReplicaState next = state.after(input);
    return next == null
        ? this
        : new ReplicaModel(next, now, why, restarts, failures, missed, due, exitCode, lastLines);
  }

  private ReplicaModel because(@Nullable String why) {
    return new ReplicaModel(
        state, since, why, restarts, failures, missed, due, exitCode, lastLines);
  }

  private ReplicaModel missed(int count) {
    return count == missed
        ? this
        : new ReplicaModel(
            state, since, reason, restarts, failures, count, due, exitCode, lastLines);
  }

  private ReplicaModel due(@Nullable Instant again) {
    return new ReplicaModel(
        state, since, reason, restarts, failures, missed, again, exitCode, lastLines);
  }
}
