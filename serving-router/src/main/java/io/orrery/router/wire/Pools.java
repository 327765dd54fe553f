package io.orrery.router.wire;

import io.netty.bootstrap.Bootstrap;
import io.orrery.router.health.EndpointState;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.route.EndpointTls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pools of one event loop; shadows have their own, so that they cannot use up connections. */
final class Pools {
  private final Wire wire;
  private final Bootstrap bootstrap;
  private final Map<Target, Connections> connections = new HashMap<>();
  private final Map<EndpointState, Pool> pools = new HashMap<>();
  private final List<Pool> drained = new ArrayList<>();

  /** The place that connections go to, with the TLS that they have. */
  private record Target(EndpointAddress address, @Nullable EndpointTls tls) {}

  Pools(Wire wire, Bootstrap bootstrap) {
    this.wire = wire;
    this.bootstrap = bootstrap;
  }

  Pool of(EndpointState endpoint) {
    Pool pool = pools.get(endpoint);
    if (pool == null) {
      pool =
          new Pool(
              connections.computeIfAbsent(
                  new Target(endpoint.address(), endpoint.tls()),
                  target ->
                      new Connections(
                          wire, bootstrap, target.address, target.tls, endpoint.context())));
      pools.put(endpoint, pool);
    }
    return pool;
  }

  /** Drains the pools of all other endpoints. */
  void keep(Set<EndpointState> kept) {
    for (Iterator<Map.Entry<EndpointState, Pool>> all = pools.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<EndpointState, Pool> entry = all.next();
      if (!kept.contains(entry.getKey())) {
        all.remove();
        entry.getValue().drain();
        drained.add(entry.getValue());
      }
    }
  }

  void sweep(long now) {
    pools.values().forEach(Pool::sweep);
    drained.forEach(Pool::sweep);
    drained.removeIf(Pool::empty);
    connections.values().forEach(all -> all.sweep(now));
    connections.values().removeIf(Connections::abandoned);
  }

  void close() {
    keep(Set.of());
    connections.values().forEach(Connections::close);
  }
}
