package io.orrery.router.policy;

import io.orrery.router.health.ServiceState;
import io.orrery.router.route.Retries;
import org.jspecify.annotations.Nullable;

/**
 * The attempts at one request: their number, and the place that it has while it waits for an
 * endpoint.
 */
public final class Tries {
  private final Loop loop;
  private int all;

  /** Those since it waited last, and before that those that an endpoint was sent. */
  private int counted;

  private int sent;

  /** When it first waited because no endpoint took it, nanoseconds; zero when it has not. */
  private long waitedFrom;

  private @Nullable HoldPlace place;

  /**
   * @param loop whose request it is
   */
  public Tries(Loop loop) {
    this.loop = loop;
  }

  /** An endpoint is tried: it waits no more. */
  public void begin() {
    endHold();
    all++;
    counted++;
  }

  /** An endpoint was tried and failed. */
  public void failed(Retries.Cause cause) {
    if (cause != Retries.Cause.CONNECT_FAILURE) {
      sent++;
    }
  }

  /** How often it was tried, as a log has it. */
  public int all() {
    return Math.max(1, all);
  }

  /** The attempts by which it is decided whether another one follows at once. */
  public int counted() {
    return counted;
  }

  /** Has it wait while no endpoint is well; false when it may not. */
  public boolean hold(ServiceState at, long now) {
    if (place != null && place.isOutdated(at)) {
      endHold();
    }
    if (place == null) {
      place = HoldPlace.take(at, loop, now);
    }
    return place != null;
  }

  /** Has it wait when no attempt has reached an endpoint; false when it may not. */
  public boolean holdAfter(Retries.Cause cause, ServiceState at, long now) {
    long from = waitedFrom == 0 ? now | 1 : waitedFrom;
    if (cause != Retries.Cause.CONNECT_FAILURE
        || now - from > at.service().retries().time().toNanos()) {
      return false;
    }
    place = HoldPlace.inOutage(at, loop.number(), now);
    waitedFrom = from;
    counted = sent;
    return place != null;
  }

  /** Whether it has waited for as long as it may. */
  public boolean isOver(ServiceState at, long now) {
    return place != null && !place.isOutdated(at) && place.isOver(now);
  }

  /** Whether it may look for an endpoint now. */
  public boolean takeTurn(ServiceState at, long now) {
    return place == null || place.isOutdated(at) || place.takeTurn(now);
  }

  /** It waits no more. */
  public void endHold() {
    if (place != null) {
      place.leave();
      place = null;
    }
  }
}
