package io.orrery.router.route;

import io.orrery.core.route.RouteLayer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service of a table.
 *
 * @param layer that it is in
 * @param place its index in the table; in a layer that is in no table yet, in the layer
 * @param hosts lower case, besides the one that every service has
 * @param match when it shares a host: what is for it; empty for everything
 * @param split what other services get of its requests
 * @param tls of its endpoints; null when they have none
 * @param sticky what keeps a request with its part of the split; null for chance
 * @param mirror who gets copies
 * @param health null for no active checks
 * @param hold null when requests do not wait for an endpoint
 * @param hedge null when each request is sent to one endpoint at a time
 * @param strip null when paths go on as they came
 * @param access null when its requests need no pass
 * @param tcp the port whose connections it takes, as bytes, in place of requests; null for none
 */
public record Service(
    RouteLayer layer,
    int place,
    String name,
    Stage stage,
    List<String> hosts,
    List<Match> match,
    List<EndpointAddress> endpoints,
    Protocol protocol,
    @Nullable EndpointTls tls,
    List<Share> split,
    @Nullable RequestKey sticky,
    List<Shadow> mirror,
    Balance balance,
    Timeouts timeouts,
    Retries retries,
    @Nullable HealthCheck health,
    EjectionRule ejection,
    Limits limits,
    @Nullable Hold hold,
    @Nullable Hedge hedge,
    @Nullable PathStrip strip,
    @Nullable OriginAccess access,
    @Nullable Integer tcp) {
  /** The protocols that endpoints speak. */
  public enum Protocol {
    HTTP1,
    /** HTTP/2 without TLS, with prior knowledge. */
    H2C,
    /** HTTP/1.1 over TLS. */
    HTTPS
  }

  public Service {
    hosts = List.copyOf(hosts);
    match = List.copyOf(match);
    endpoints = List.copyOf(endpoints);
    split = List.copyOf(split);
    mirror = List.copyOf(mirror);
  }

  /** Whether the body of its answers is compared with a shadow's. */
  public boolean comparesBodies() {
    return mirror.stream().anyMatch(Shadow::compareBodies);
  }

  /** Unique in a table: the name, after its stage when that is not production. */
  public String id() {
    return stage.prefix() + name;
  }

  /** The same service at another place. */
  Service at(int newPlace) {
    return newPlace == place
        ? this
        : new Service(
            layer, newPlace, name, stage, hosts, match, endpoints, protocol, tls, split, sticky,
            mirror, balance, timeouts, retries, health, ejection, limits, hold, hedge, strip,
            access, tcp);
  }
}
