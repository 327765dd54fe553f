package io.orrery.studio.rollout;

import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Domains.StepTime;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rollout and how far it has come.
 *
 * @param step from 1 while the candidate has a share; 0 before
 * @param candidate null in the state IDLE of a domain that has had none
 * @param before the shares that the candidate takes over, which are 100 together; may be empty
 * @param reason a sentence; null when there is nothing to say
 * @param since when it came into this state and step
 * @param times when each step that it came to began, in their order; missing in those that earlier
 *     versions have stored
 * @param ended when the candidate got all requests for good, or lost its share; null before
 * @param generation of the candidate that takes over from an earlier generation of itself; null
 *     when it takes over from other services
 */
public record Rollout(
    RolloutState state,
    int step,
    @Nullable ServiceName candidate,
    List<ServiceShare> before,
    RolloutPolicy policy,
    @Nullable String reason,
    Instant since,
    List<StepTime> times,
    @Nullable Instant ended,
    @Nullable Long generation) {
  public Rollout {
    before = List.copyOf(before);
    times = times == null ? List.of() : List.copyOf(times);
  }

  /** A domain without any. */
  public static Rollout none(Instant at) {
    return new Rollout(
        RolloutState.IDLE,
        0,
        null,
        List.of(),
        RolloutPolicy.AT_ONCE,
        null,
        at,
        List.of(),
        null,
        null);
  }

  /** A rollout that has yet to begin. */
  public static Rollout begin(
      ServiceName candidate, List<ServiceShare> before, RolloutPolicy policy, Instant at) {
    return begin(candidate, null, before, policy, at);
  }

  /** One by which a generation of a service takes over from an earlier one. */
  public static Rollout upgrade(
      ServiceName service, long generation, RolloutPolicy policy, Instant at) {
    return begin(service, generation, List.of(new ServiceShare(service, 100)), policy, at);
  }

  private static Rollout begin(
      ServiceName candidate,
      @Nullable Long generation,
      List<ServiceShare> before,
      RolloutPolicy policy,
      Instant at) {
    return new Rollout(
        RolloutState.STEP,
        0,
        candidate,
        before,
        policy,
        named(candidate, generation) + " is not ready yet",
        at,
        List.of(new StepTime(0, at)),
        null,
        generation);
  }

  /** The candidate in sentences. */
  String named() {
    return candidate == null ? "" : named(candidate, generation);
  }

  private static String named(ServiceName candidate, @Nullable Long generation) {
    return generation == null
        ? candidate.value()
        : "generation %d of %s".formatted(generation, candidate);
  }

  /** The rollout as others see it. */
  public Domains.Rollout shown() {
    return new Domains.Rollout(
        state,
        step,
        candidate == null ? 0 : policy.steps().size(),
        candidate,
        reason,
        since,
        candidate == null ? List.of() : policy.steps(),
        candidate == null ? List.of() : GateWords.of(policy),
        times,
        ended);
  }

  /** Whether it is under way. */
  public boolean isActive() {
    return switch (state) {
      case STEP, PAUSED -> true;
      case IDLE, DONE, ROLLED_BACK -> false;
    };
  }

  /** The percent that the candidate gets. */
  public int percent() {
    return switch (state) {
      case STEP, PAUSED -> step == 0 ? 0 : policy.steps().get(step - 1);
      case DONE -> 100;
      case IDLE, ROLLED_BACK -> 0;
    };
  }

  /**
   * The shares of the services before, scaled to what the candidate leaves, and the candidate's;
   * they are 100 together, as long as there are services before or the candidate has all.
   */
  public List<ServiceShare> shares() {
    ServiceName taking = candidate;
    if (taking == null || percent() == 0) {
      return before;
    }
    int rest = 100 - percent();
    List<ServiceShare> shares = new ArrayList<>();
    int given = 0;
    int seen = 0;
    for (ServiceShare backend : before) {
      seen += backend.percent();
      // The difference of rounded sums: no rest is lost or given twice.
      int until = Math.toIntExact(Math.round(seen * rest / 100.0));
      if (until > given) {
        shares.add(new ServiceShare(backend.service(), until - given));
      }
      given = until;
    }
    shares.add(new ServiceShare(taking, 100 - given));
    return shares;
  }

  Rollout to(RolloutState next, int nextStep, @Nullable String why, Instant at) {
    Instant end =
        switch (next) {
          case DONE, ROLLED_BACK -> at;
          case STEP, PAUSED -> null;
          case IDLE -> ended;
        };
    return new Rollout(
        next,
        nextStep,
        candidate,
        before,
        policy,
        why,
        at,
        timesAt(next, nextStep, at),
        end,
        generation);
  }

  /** The times with that of a step which begins now. */
  private List<StepTime> timesAt(RolloutState next, int nextStep, Instant at) {
    boolean begins =
        next == RolloutState.STEP && times.stream().noneMatch(time -> time.step() == nextStep);
    return begins
        ? Stream.concat(times.stream(), Stream.of(new StepTime(nextStep, at))).toList()
        : times;
  }

  Rollout because(@Nullable String why) {
    return new Rollout(
        state, step, candidate, before, policy, why, since, times, ended, generation);
  }

  /** The same with other services before. */
  Rollout after(List<ServiceShare> others) {
    return new Rollout(
        state, step, candidate, others, policy, reason, since, times, ended, generation);
  }
}
