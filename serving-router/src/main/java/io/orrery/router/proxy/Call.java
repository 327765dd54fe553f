package io.orrery.router.proxy;

import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.route.PathStrip;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Set;

/**
 * A request, and where the table sends it.
 *
 * @param authority the host that was asked for, as the client wrote it
 * @param owner whose host that is
 * @param target who is to answer: the owner, or a version that it shares its requests with
 */
record Call(Facts facts, String authority, ServiceState owner, ServiceState target) {
  private static final CharSequence X_FORWARDED_PREFIX =
      HttpHeaders.createOptimized("x-forwarded-prefix");

  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.OPTIONS,
          HttpMethod.PUT,
          HttpMethod.DELETE,
          HttpMethod.TRACE);

  /** Whether it is a request of a client to a version of a service, given by its id. */
  boolean isOf(String network, String version) {
    return facts.client().network().equals(network) && target.id().equals(version);
  }

  HttpMethod method() {
    return facts.request().method();
  }

  /** Whether it may be sent twice (RFC 9110 section 9.2.2). */
  boolean isIdempotent() {
    return IDEMPOTENT.contains(method());
  }

  /** The address that the endpoint is asked for. */
  String uri() {
    PathStrip strip = owner.strip();
    return strip == null ? facts.uri() : strip.of(facts.uri());
  }

  /** Tells the endpoint what was removed from the path, if something was. */
  void tellPrefix(MultiMap headers) {
    PathStrip strip = owner.strip();
    if (strip != null && !strip.of(facts.uri()).equals(facts.uri())) {
      headers.set(X_FORWARDED_PREFIX, strip.prefix());
    }
  }

  /**
   * The call with its target as the table in force has it, so that no request goes to an endpoint
   * that left while it came in; as it was, when the target has left the table.
   *
   * @param began the table when the request came in
   */
  Call present(LiveTable began, LiveTable now) {
    ServiceState state = now.equals(began) ? null : now.state(target.id());
    return state == null || state.service().protocol() != target.service().protocol()
        ? this
        : new Call(facts, authority, owner, state);
  }
}
