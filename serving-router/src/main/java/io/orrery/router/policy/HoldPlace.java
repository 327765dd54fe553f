package io.orrery.router.policy;

import io.orrery.router.health.Outage;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.route.Hold;
import io.orrery.router.telemetry.Meters.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The place of one request among those that wait for an endpoint of a service: by its hold, while
 * it has none, or in an outage that has just begun.
 */
public final class HoldPlace {
  private final ServiceState service;
  private final int loop;
  private final long until;

  /** Null for a place of the hold. */
  private final @Nullable Outage outage;

  private HoldPlace(ServiceState service, int loop, long until, @Nullable Outage outage) {
    this.service = service;
    this.loop = loop;
    this.until = until;
    this.outage = outage;
  }

  /**
   * Takes a place, while no endpoint is well, and says that a request waits where that has one
   * started.
   *
   * @return null when requests of the service do not wait, or as many wait as may; {@link #refusal}
   *     has the answer then
   */
  public static @Nullable HoldPlace take(ServiceState service, Loop loop, long now) {
    Hold rule = service.service().hold();
    if (rule == null) {
      return inOutage(service, loop.number(), now);
    }
    if (!service.beginHold(loop.number())) {
      return null;
    }
    loop.tellHeld();
    return new HoldPlace(service, loop.number(), now + rule.time().toNanos(), null);
  }

  /**
   * Takes a place when no endpoint has taken the request; there are no more such places than the
   * service has requests at once.
   *
   * @return null when it may not wait
   */
  public static @Nullable HoldPlace inOutage(ServiceState service, int loop, long now) {
    Outage outage = service.outage();
    return outage != null && outage.begin(now)
        ? new HoldPlace(service, loop, outage.deadline(now), outage)
        : null;
  }

  /** The answer to a request that gets no place. */
  public static TurnedAway refusal(ServiceState service) {
    return service.service().hold() == null
        ? new TurnedAway(Refusal.NO_ENDPOINT, RouterProblem.noEndpoint(service.id()))
        : new TurnedAway(Refusal.OVER_HELD, RouterProblem.overHeld(service.id()));
  }

  /**
   * Whether it is one in an outage of a service that has no endpoint any more: only a place of its
   * hold has one started.
   */
  boolean isOutdated(ServiceState at) {
    return outage != null && at.service().hold() != null && at.endpoints().isEmpty();
  }

  /** Whether it has waited for as long as it may. */
  public boolean isOver(long now) {
    return now - until > 0 || (outage != null && outage.isOver(now));
  }

  /** Whether the request may look for an endpoint now. */
  public boolean takeTurn(long now) {
    return outage == null || outage.takeTurn(now);
  }

  /** Leaves the place to another request; to be called once. */
  public void leave() {
    if (outage == null) {
      service.endHold(loop);
    }
  }
}
