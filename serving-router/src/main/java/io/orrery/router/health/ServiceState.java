package io.orrery.router.health;

import io.orrery.router.route.EjectionRule;
import io.orrery.router.route.Service;
import io.orrery.router.route.Split;
import java.util.List;

/** One service of the present table, with what is known of its endpoints. */
public final class ServiceState {
  private final Service service;
  private final String id;
  private final Split split;
  private final List<EndpointState> endpoints;
  private final Tally inFlight;
  private final boolean http1Throughout;
  private final Object ejecting = new Object();

  /**
   * @param http1Throughout whether whoever may get its requests speaks HTTP/1.1
   */
  ServiceState(
      Service service,
      Split split,
      List<EndpointState> endpoints,
      Tally inFlight,
      boolean http1Throughout) {
    this.service = service;
    this.id = service.id();
    this.http1Throughout = http1Throughout;
    this.split = split;
    this.endpoints = List.copyOf(endpoints);
    this.inFlight = inFlight;
    inFlight.limit(service.limits().requests());
  }

  public Service service() {
    return service;
  }

  /** {@link Service#id}, made once. */
  public String id() {
    return id;
  }

  /** Whether it, and every service that its split names, speaks HTTP/1.1. */
  public boolean http1Throughout() {
    return http1Throughout;
  }

  public Split split() {
    return split;
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
   */
  public boolean enter(int loop) {
    return inFlight.enter(loop);
  }

  /** A request that entered on this loop is over. */
  public void leave(int loop) {
    inFlight.add(loop, -1);
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
