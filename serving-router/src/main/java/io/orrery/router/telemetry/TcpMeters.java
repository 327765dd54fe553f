package io.orrery.router.telemetry;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The numbers of connections at the ports of services. */
public final class TcpMeters {
  private static final String CONNECTIONS = "orrery_router_tcp_connections_total";
  private static final String BYTES = "orrery_router_tcp_bytes_total";

  private final Map<String, Passed> services = new ConcurrentHashMap<>();

  /** A count of what has passed for a service. */
  public static final class Passed {
    private final LongAdder connections = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();

    private Passed() {}

    /** A connection was joined with an endpoint. */
    public void connected() {
      connections.increment();
    }

    /** Bytes came from a client. */
    public void received(long bytes) {
      received.add(bytes);
    }

    /** Bytes came from an endpoint. */
    public void sent(long bytes) {
      sent.add(bytes);
    }
  }

  TcpMeters() {}

  /** The numbers of a service; they are gone when it has left the table. */
  public Passed of(String service) {
    return services.computeIfAbsent(service, added -> new Passed());
  }

  void retain(Set<String> kept) {
    services.keySet().retainAll(kept);
  }

  void expose(Exposition out) {
    Map<String, Passed> sorted = new TreeMap<>(services);
    out.metric(CONNECTIONS, "counter", "Connections at the port of a service that were passed on.");
    sorted.forEach(
        (service, passed) -> out.sample(CONNECTIONS, passed.connections.sum(), "service", service));
    out.metric(BYTES, "counter", "Bytes that passed at the port of a service.");
    sorted.forEach((service, passed) -> {
      out.sample(BYTES, passed.received.sum(), "service", service, "from", "client");
      out.sample(BYTES, passed.sent.sum(), "service", service, "from", "endpoint");
    });
  }
}
