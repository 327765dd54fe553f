package io.orrery.studio.rollout;

import io.orrery.core.service.RolloutState;
import io.orrery.studio.rollout.RolloutPolicy.LatencyGate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about a rollout: pure.
 *
 * <pre>
 * IDLE ─ another service is deployed ─▶ STEP 0 ─ ready ─▶ STEP 1 ─ gates, time, requests ─▶ …
 * STEP n (100 %) ─ gates, time, requests ─▶ DONE ─ kept warm long enough ─▶ IDLE
 * STEP ⇄ PAUSED;  STEP, PAUSED ─ a gate fails, not ready any more, aborted ─▶ ROLLED_BACK
 * </pre>
 *
 * <p>A candidate that is not ready has no share; nothing before it leaves before the candidate has
 * answered as many requests as the policy says, within the gates.
 */
public final class RolloutModel {
  /** The time that a candidate has to become ready. */
  static final Duration TO_BECOME_READY = Duration.ofMinutes(30);

  /** The fewest answers by which a failing gate is believed before the time of a step is over. */
  static final int FEWEST = 10;

  private RolloutModel() {}

  /**
   * The present sight of a rollout.
   *
   * @param ready whether the candidate can answer
   * @param why the reason why it cannot; null when none is known
   * @param candidate the answers of the candidate since the step began
   * @param before the answers of the others since then
   */
  public record Sight(boolean ready, @Nullable String why, Window candidate, Window before) {}

  /** The next state; the same object when nothing changes. */
  public static Rollout next(Rollout now, Sight sight, Instant at) {
    return switch (now.state()) {
      case IDLE, ROLLED_BACK -> now;
      case PAUSED -> now.step() > 0 && !sight.ready() ? rolledBack(now, gone(now, sight), at) : now;
      case DONE ->
          at.isBefore(now.since().plus(now.policy().keepWarm()))
              ? now
              : now.to(RolloutState.IDLE, 0, now.named() + " has taken over", at);
      case STEP -> now.step() == 0 ? waiting(now, sight, at) : inStep(now, sight, at);
    };
  }

  private static Rollout waiting(Rollout now, Sight sight, Instant at) {
    if (sight.ready()) {
      return enter(now, 1, at);
    }
    if (!at.isBefore(now.since().plus(TO_BECOME_READY))) {
      return rolledBack(
          now,
          "%s did not become ready within %d minutes%s"
              .formatted(now.named(), TO_BECOME_READY.toMinutes(), because(sight)),
          at);
    }
    return saying(now, now.named() + " is not ready yet" + because(sight));
  }

  private static Rollout inStep(Rollout now, Sight sight, Instant at) {
    if (!sight.ready()) {
      return rolledBack(now, gone(now, sight), at);
    }
    RolloutPolicy policy = now.policy();
    long answers = sight.candidate().answers();
    boolean over = !at.isBefore(now.since().plus(policy.every()));
    boolean enough = answers >= policy.requests();
    if (answers >= Math.min(FEWEST, Math.max(1, policy.requests())) || (over && enough)) {
      String fault = fault(policy, sight);
      if (fault != null) {
        return rolledBack(now, fault, at);
      }
    }
    if (!over) {
      return now;
    }
    if (!enough) {
      return saying(
          now,
          "%s; the next one begins when it has answered %d requests"
              .formatted(words(now, now.step()), policy.requests()));
    }
    return now.step() < policy.steps().size()
        ? enter(now, now.step() + 1, at)
        : now.to(
            RolloutState.DONE,
            now.step(),
            "%s gets all requests; those before it are kept warm".formatted(now.named()),
            at);
  }

  private static Rollout enter(Rollout now, int step, Instant at) {
    return now.to(RolloutState.STEP, step, words(now, step), at);
  }

  private static String words(Rollout now, int step) {
    List<Integer> steps = now.policy().steps();
    return "step %d of %d: %s gets %d %%"
        .formatted(step, steps.size(), now.named(), steps.get(step - 1));
  }

  private static Rollout saying(Rollout now, String reason) {
    return reason.equals(now.reason()) ? now : now.because(reason);
  }

  private static Rollout rolledBack(Rollout now, String why, Instant at) {
    return now.to(RolloutState.ROLLED_BACK, now.step(), why, at);
  }

  private static String gone(Rollout now, Sight sight) {
    return now.named() + " is not ready any more" + because(sight);
  }

  private static String because(Sight sight) {
    return sight.why() == null ? "" : ": " + sight.why();
  }

  // ---- gates ---------------------------------------------------------------------------------

  /** The gate that is not passed, in words; null when all are. */
  private static @Nullable String fault(RolloutPolicy policy, Sight sight) {
    Double errors = policy.errors();
    double share = sight.candidate().errorShare();
    if (errors != null && share >= errors) {
      return String.format(
          Locale.ROOT,
          "%.1f %% of its %d answers were errors (5xx): less than %s %% is wanted",
          share * 100,
          sight.candidate().answers(),
          GateWords.number(errors * 100));
    }
    String slow = fault("p99", 0.99, policy.p99(), sight);
    return slow == null ? fault("p50", 0.5, policy.p50(), sight) : slow;
  }

  private static @Nullable String fault(
      String name, double quantile, @Nullable LatencyGate gate, Sight sight) {
    if (gate == null || sight.candidate().answers() == 0) {
      return null;
    }
    double took = sight.candidate().quantileMillis(quantile);
    if (!gate.relative()) {
      return took < gate.bound()
          ? null
          : String.format(
              Locale.ROOT,
              "its %s is %.1f ms: less than %s ms is wanted",
              name,
              took,
              GateWords.number(gate.bound()));
    }
    if (sight.before().answers() < FEWEST) {
      // There is nothing to compare with.
      return null;
    }
    double usual = sight.before().quantileMillis(quantile);
    return took < gate.bound() * usual
        ? null
        : String.format(
            Locale.ROOT,
            "its %s is %.1f ms: less than %s times that of before, which is %.1f ms, is wanted",
            name,
            took,
            GateWords.number(gate.bound()),
            usual);
  }

  // ---- commands ------------------------------------------------------------------------------

  /**
   * Leaves the shares as they are.
   *
   * @throws IllegalStateException with a sentence, as the other commands, when there is nothing to
   *     pause
   */
  public static Rollout pause(Rollout now, String by, Instant at) {
    require(now, now.state() == RolloutState.STEP, "pause");
    return now.to(RolloutState.PAUSED, now.step(), "paused by " + by, at);
  }

  /** Goes on with the step, from its beginning. */
  public static Rollout resume(Rollout now, Instant at) {
    require(now, now.state() == RolloutState.PAUSED, "resume");
    return now.step() == 0
        ? now.to(RolloutState.STEP, 0, now.named() + " is not ready yet", at)
        : enter(now, now.step(), at);
  }

  /** Gives the candidate all requests. */
  public static Rollout promote(Rollout now, String by, Instant at) {
    require(now, now.isActive() && now.step() > 0, "promote");
    return now.to(RolloutState.DONE, now.policy().steps().size(), "promoted by " + by, at);
  }

  /** Gives back the shares of before. */
  public static Rollout abort(Rollout now, String by, Instant at) {
    require(
        now,
        (now.isActive() || now.state() == RolloutState.DONE) && !now.before().isEmpty(),
        "abort");
    return now.to(RolloutState.ROLLED_BACK, now.step(), "aborted by " + by, at);
  }

  private static void require(Rollout now, boolean may, String verb) {
    if (!may) {
      throw new IllegalStateException(
          "There is no rollout to %s: its state is %s%s."
              .formatted(
                  verb,
                  now.state(),
                  now.isActive() && now.step() == 0
                      ? ", and " + Objects.requireNonNull(now.reason())
                      : ""));
    }
  }
}
