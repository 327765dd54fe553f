package io.orrery.router.health;

import io.orrery.router.route.Balance;
import io.orrery.router.route.EjectionRule;
import io.orrery.router.route.Hold;
import io.orrery.router.route.Limits;
import io.orrery.router.route.OriginAccess;
import io.orrery.router.route.PathStrip;
import io.orrery.router.route.Service;
import io.orrery.router.route.Split;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service of the present table, with the state of its endpoints. What each request looks at
 * stands here once more: where there are very many services, every object on its way is one that
 * the processor has to fetch from far.
 */
public final class ServiceState {
  private final Service service;
  private final String id;
  private final Split split;
  private final boolean divided;
  private final boolean mirrored;
  private final boolean comparesBodies;
  private final Balance balance;
  private final Limits limits;
  private final Duration connectTimeout;
  private final List<EndpointState> endpoints;
  private final Tally inFlight;
  private final @Nullable Tally held;
  private final @Nullable Outage outage;
  private final @Nullable PathStrip strip;
  private final @Nullable OriginAccess access;
  private final boolean isPlain;
  private final Object ejecting = new Object();

  /**
   * @param held counts requests that wait for an endpoint; null where none do
   * @param outage in which requests wait that no endpoint takes; null where they do not
   * @param isPlain whether its requests may be forwarded as bytes: all that may get them speak
   *     HTTP/1.1, and none of them hedges
   */
  ServiceState(
      Service service,
      Split split,
      List<EndpointState> endpoints,
      Tally inFlight,
      @Nullable Tally held,
      @Nullable Outage outage,
      boolean isPlain) {
    this.service = service;
    this.id = service.id();
    this.isPlain = isPlain;
    this.split = split;
    this.divided = split.divided();
    this.mirrored = !service.mirror().isEmpty();
    this.comparesBodies = service.comparesBodies();
    this.balance = service.balance();
    this.limits = service.limits();
    this.connectTimeout = service.timeouts().connect();
    this.endpoints = List.copyOf(endpoints);
    this.inFlight = inFlight;
    inFlight.limit(limits.requests());
    this.strip = service.strip();
    this.access = service.access();
    this.held = held;
    this.outage = outage;
    Hold hold = service.hold();
    if (held != null && hold != null) {
      held.limit(hold.requests());
    }
  }

  /** Whether the passes that let requests in by this state are of no use in a later table. */
  public boolean isRevokedBy(LiveTable later) {
    OriginAccess before = access;
    if (before == null) {
      return false;
    }
    ServiceState present = later.state(id);
    OriginAccess after = present == null ? null : present.access;
    return after != null
        && (after.epoch() != before.epoch() || !after.audience().equals(before.audience()));
  }

  public Service service() {
    return service;
  }

  /** {@link Service#id}, made once. */
  public String id() {
    return id;
  }

  /**
   * Whether it speaks HTTP/1.1 and hedges nothing, as every service that its split names; and those
   * that its mirror names speak that as well.
   */
  public boolean isPlain() {
    return isPlain;
  }

  public Split split() {
    return split;
  }

  /** {@link Split#divided}. */
  public boolean divided() {
    return divided;
  }

  /** Whether copies of its requests are sent anywhere. */
  public boolean mirrored() {
    return mirrored;
  }

  /** {@link Service#comparesBodies}. */
  public boolean comparesBodies() {
    return comparesBodies;
  }

  public Balance balance() {
    return balance;
  }

  public Limits limits() {
    return limits;
  }

  /** How long a connection to an endpoint may take. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  public List<EndpointState> endpoints() {
    return endpoints;
  }

  Tally flights() {
    return inFlight;
  }

  /** Requests that it works on. */
  public int inFlight() {
    return inFlight.sum();
  }

  /**
   * Takes one more request; false when it has as many as it may have.
   *
   * @param loop who forwards it, from 0
   * @param atMost how many it may have for this one; no more than its limit in any case
   */
  public boolean enter(int loop, int atMost) {
    return inFlight.enter(loop, atMost);
  }

  @Nullable Tally holds() {
    return held;
  }

  /** The time in which no endpoint takes requests; null where they do not wait in it. */
  public @Nullable Outage outage() {
    return outage;
  }

  /** Requests that wait for an endpoint. */
  public int held() {
    return held == null ? 0 : held.sum();
  }

  /**
   * Lets one more request wait for an endpoint; false when as many wait as may.
   *
   * @param loop whose request it is, from 0
   */
  public boolean beginHold(int loop) {
    return held != null && held.enter(loop);
  }

  /** A request that waited waits no more. */
  public void endHold(int loop) {
    if (held != null) {
      held.add(loop, -1);
    }
  }

  /** The prefix that is removed from the paths of its requests; null for none. */
  public @Nullable PathStrip strip() {
    return strip;
  }

  /** {@link Service#access}. */
  public @Nullable OriginAccess access() {
    return access;
  }

  /** Whether endpoints get its requests with another path, or without what is the platform's. */
  public boolean rewrites() {
    return strip != null || access != null;
  }

  /** A request that entered on this loop is over. */
  public void leave(int loop) {
    inFlight.add(loop, -1);
  }

  /** A request has a connection to an endpoint: requests need not wait for one any more. */
  public void reached() {
    if (outage != null) {
      outage.end();
    }
  }

  /**
   * An endpoint answered, or did not.
   *
   * @param good false for 5xx, a failed connection, a broken or late answer
   * @param now nanoseconds
   * @return whether it is left out from now on
   */
  public boolean answered(EndpointState endpoint, boolean good, long now) {
    if (good) {
      endpoint.good();
      reached();
      return false;
    }
    EjectionRule rule = service.ejection();
    if (endpoint.bad() < rule.consecutive() || endpoint.ejected()) {
      return false;
    }
    return eject(endpoint, rule, now);
  }

  /** Two loops that each eject one must not take out more than the rule allows. */
  private boolean eject(EndpointState endpoint, EjectionRule rule, long now) {
    synchronized (ejecting) {
      long out = endpoints.stream().filter(EndpointState::ejected).count();
      if (endpoint.ejected() || (out + 1) * 100 > rule.atMost() * endpoints.size()) {
        return false;
      }
      endpoint.eject(now + rule.time().toNanos());
      return true;
    }
  }
}
