package io.orrery.router.policy;

import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.route.Hold;
import io.orrery.router.telemetry.Meters.Refusal;
import org.jspecify.annotations.Nullable;

/** The place of one request among those that wait for an endpoint of a service. */
public final class HoldPlace {
  private final ServiceState service;
  private final int loop;
  private final long until;

  private HoldPlace(ServiceState service, int loop, long until) {
    this.service = service;
    this.loop = loop;
    this.until = until;
  }

  /**
   * Takes a place.
   *
   * @return null when requests of the service do not wait, or as many wait as may; {@link #refusal}
   *     has the answer then
   */
  public static @Nullable HoldPlace take(ServiceState service, int loop, long now) {
    Hold rule = service.service().hold();
    return rule != null && service.beginHold(loop)
        ? new HoldPlace(service, loop, now + rule.time().toNanos())
        : null;
  }

  /** The answer to a request that gets no place. */
  public static TurnedAway refusal(ServiceState service) {
    return service.service().hold() == null
        ? new TurnedAway(Refusal.NO_ENDPOINT, RouterProblem.noEndpoint(service.id()))
        : new TurnedAway(Refusal.OVER_HELD, RouterProblem.overHeld(service.id()));
  }

  /** Whether it has waited for as long as it may. */
  public boolean isOver(long now) {
    return now - until > 0;
  }

  /** Leaves the place to another request; to be called once. */
  public void leave() {
    service.endHold(loop);
  }
}
