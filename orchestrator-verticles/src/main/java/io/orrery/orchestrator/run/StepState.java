package io.orrery.orchestrator.run;

import io.orrery.core.run.RunId;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a step.
 *
 * @param attempt the number of the last attempt; 0 before the first
 * @param base the number of attempts before the last retry by a user
 * @param reason why it waits, failed or was left out; null when there is nothing to say
 * @param notBefore the end of the pause before a retry; null without one
 * @param exitCode of the last attempt; null when it is not known
 * @param ending why the attempt is being ended; null when it is not
 * @param outputs empty before the step has succeeded
 * @param cacheKey null when the step takes no outputs of others and gives none
 * @param cachedFrom the run whose outputs it took; null when it ran itself
 */
record StepState(
    StepStatus status,
    int attempt,
    int base,
    @Nullable String reason,
    @Nullable Instant notBefore,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Integer exitCode,
    @Nullable EarlyEnd ending,
    List<StepOutput> outputs,
    @Nullable String cacheKey,
    @Nullable RunId cachedFrom) {
  static final StepState NEW =
      new StepState(
          StepStatus.BLOCKED, 0, 0, null, null, null, null, null, null, List.of(), null, null);

  /** The reason for which an attempt is ended early. */
  enum EarlyEnd {
    TIMEOUT,
    STOP
  }

  StepState {
    outputs = List.copyOf(outputs);
  }

  /** The same as at the start of a next attempt. */
  StepState launched() {
    return new StepState(
        StepStatus.WAITING,
        attempt + 1,
        base,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  StepState waiting(String why) {
    return new StepState(
        status,
        attempt,
        base,
        why,
        null,
        startedAt,
        endedAt,
        exitCode,
        ending,
        outputs,
        cacheKey,
        cachedFrom);
  }

  StepState running(Instant at) {
    return new StepState(
        StepStatus.RUNNING,
        attempt,
        base,
        // Why no outputs were taken from an earlier run.
        cacheKey == null ? null : reason,
        null,
        at,
        null,
        null,
        ending,
        outputs,
        cacheKey,
        cachedFrom);
  }

  /** The same while its attempt is being ended. */
  StepState ending(EarlyEnd why, String words) {
    return new StepState(
        status,
        attempt,
        base,
        words,
        notBefore,
        startedAt,
        endedAt,
        exitCode,
        why,
        outputs,
        cacheKey,
        cachedFrom);
  }

  StepState keyed(String key) {
    return new StepState(
        status,
        attempt,
        base,
        reason,
        notBefore,
        startedAt,
        endedAt,
        exitCode,
        ending,
        outputs,
        key,
        cachedFrom);
  }

  /** The same with the exit code of its attempt. */
  StepState exited(@Nullable Integer code, Instant at) {
    return new StepState(
        status,
        attempt,
        base,
        reason,
        notBefore,
        startedAt,
        at,
        code,
        ending,
        outputs,
        cacheKey,
        cachedFrom);
  }

  /** The same after its attempt, before the next. */
  StepState again(String why, Instant start) {
    return new StepState(
        StepStatus.READY,
        attempt,
        base,
        why,
        start,
        startedAt,
        endedAt,
        exitCode,
        null,
        List.of(),
        cacheKey,
        null);
  }

  /** The same, over. */
  StepState over(StepStatus how, @Nullable String why, Instant at) {
    return new StepState(
        how,
        attempt,
        base,
        why,
        null,
        startedAt,
        endedAt == null ? at : endedAt,
        exitCode,
        null,
        outputs,
        cacheKey,
        cachedFrom);
  }

  StepState succeeded(List<StepOutput> found, Instant at) {
    return new StepState(
        StepStatus.SUCCEEDED,
        attempt,
        base,
        reason,
        null,
        startedAt,
        endedAt == null ? at : endedAt,
        exitCode,
        null,
        found,
        cacheKey,
        null);
  }

  StepState cached(RunId from, List<StepOutput> found, String why, Instant at) {
    return new StepState(
        StepStatus.CACHED, attempt, base, why, null, null, at, null, null, found, cacheKey, from);
  }

  /** The same for a step that is to run again because a user says so. */
  StepState reset() {
    return new StepState(
        StepStatus.BLOCKED,
        attempt,
        attempt,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  StepState ready() {
    return new StepState(
        StepStatus.READY, attempt, base, null, null, null, null, null, null, List.of(), null, null);
  }
}
