package io.orrery.benchmarks.router;

import io.orrery.benchmarks.router.load.Task;
import io.orrery.benchmarks.router.peer.EndpointLayout;
import io.orrery.benchmarks.router.peer.ProtocolPair;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The requests that are sent to every proxy that can answer them.
 *
 * @param service whose host is asked for; a star is a number
 * @param connections of clients, each with one request under way
 * @param bytes of a request's body; 0 is a GET
 * @param rate requests a second; 0 asks again after each answer
 * @param domains that the proxy knows
 * @param protocols of clients and of endpoints
 * @param traits what else is special
 */
record RouterScenario(
    String name,
    String service,
    int connections,
    int bytes,
    int rate,
    int domains,
    ProtocolPair protocols,
    Set<Trait> traits) {
  enum Trait {
    /** HAProxy cannot mirror by itself, and none of the Java peers does. */
    MIRRORS,
    /** What ours does without the special thing is measured in the same rounds. */
    BESIDE_PLAIN,
    /** Ours without its way of bytes as well. */
    BOTH_WAYS,
    /** The second endpoint dies and comes back. */
    KILLS,
    /** Tables come into force all the time. */
    CHANGES,
    /** The answers of each version are read once a second, as the gates of a rollout do. */
    GATES,
    /** Two event loops beside one, and what a second worker costs nginx. */
    LOOPS,
    /** Every fiftieth answer of the endpoints is late, and ours asks the other endpoint then. */
    HEDGES,
    /** Orrery alone: nginx serves 21 requests a second of such a load, or has no such thing. */
    ALONE,
    /** Only those that are meant for so many hosts. */
    NATIVE_PEERS
  }

  /** So many times the rate of a scenario warms up its proxies. */
  private static final int WARMING_FACTOR = 3;

  /** How late the late answers are. */
  private static final int LATE_MILLIS = 50;

  private static final List<RouterScenario> ALL =
      List.of(
          closed("get", "s0", 64, 0, Trait.BOTH_WAYS),
          closed("post-1k", "s0", 64, 1024, Trait.BOTH_WAYS),
          closed("post-100k", "s0", 64, 102_400, Trait.BOTH_WAYS),
          closed("split", "split", 64, 0, Trait.BESIDE_PLAIN),
          closed("gates", "split", 64, 0, Trait.GATES, Trait.ALONE, Trait.BESIDE_PLAIN),
          closed("mirror", "mirror", 64, 1024, Trait.MIRRORS, Trait.BESIDE_PLAIN),
          paced("mirror-slow", "mirror-slow", 1024, 1_000, Trait.MIRRORS, Trait.BESIDE_PLAIN),
          paced("mirror-slow-5k", "mirror-slow", 1024, 5_000, Trait.ALONE, Trait.BESIDE_PLAIN),
          closed("mirror-dead", "mirror-dead", 64, 1024, Trait.MIRRORS, Trait.BESIDE_PLAIN),
          domains("domains-1k", 1_000, Trait.BESIDE_PLAIN),
          domains("domains-100k", 100_000, Trait.BESIDE_PLAIN, Trait.NATIVE_PEERS),
          closed("connections", "s0", 2_000, 0),
          paced("latency", "s0", 0, 5_000),
          paced("killed", "pair", 0, 3_000, Trait.KILLS, Trait.NATIVE_PEERS),
          paced("hedged", "hedged", 0, 3_000, Trait.HEDGES, Trait.ALONE, Trait.BESIDE_PLAIN),
          paced("changes", "s0", 0, 3_000, Trait.CHANGES),
          closed("loops", "s0", 64, 0, Trait.LOOPS),
          spoken("tls-get", ProtocolPair.TLS, 64, 0, 0),
          spoken("tls-post-1k", ProtocolPair.TLS, 64, 1024, 0),
          spoken("h2-get", ProtocolPair.H2, 8, 0, 0),
          spoken("h2-post-1k", ProtocolPair.H2, 8, 1024, 0),
          spoken("grpc-unary", ProtocolPair.GRPC, 8, 100, 0),
          spoken("sse-1k", ProtocolPair.EVENTS, 256, 1024, 10_000),
          spoken("https-endpoints", ProtocolPair.TLS_ENDPOINTS, 16, 0, 0));

  private static RouterScenario closed(
      String name, String service, int connections, int bytes, Trait... traits) {
    return new RouterScenario(
        name, service, connections, bytes, 0, 1, ProtocolPair.PLAIN, set(traits));
  }

  private static RouterScenario paced(
      String name, String service, int bytes, int rate, Trait... traits) {
    return new RouterScenario(name, service, 64, bytes, rate, 1, ProtocolPair.PLAIN, set(traits));
  }

  private static RouterScenario domains(String name, int domains, Trait... traits) {
    return new RouterScenario(name, "s*", 64, 0, 0, domains, ProtocolPair.PLAIN, set(traits));
  }

  private static RouterScenario spoken(
      String name, ProtocolPair protocols, int connections, int bytes, int rate) {
    return new RouterScenario(name, "s0", connections, bytes, rate, 1, protocols, set());
  }

  private static Set<Trait> set(Trait... traits) {
    Set<Trait> set = EnumSet.noneOf(Trait.class);
    set.addAll(Arrays.asList(traits));
    return set;
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  Task task(int port, int millis) {
    return new Task(
        port,
        EndpointLayout.host(service),
        domains,
        connections,
        bytes,
        rate,
        millis,
        is(Trait.KILLS),
        lateMillis());
  }

  /** The load that a proxy warms up with: of its protocols, as much as it can take. */
  Task warming(int port, int millis) {
    if (protocols == ProtocolPair.PLAIN) {
      String host = EndpointLayout.host(domains > 1 ? "s*" : "s0");
      return new Task(port, host, domains, 64, 0, 0, millis, false, 0);
    }
    return new Task(
        port,
        EndpointLayout.host(service),
        1,
        connections,
        bytes,
        rate * WARMING_FACTOR,
        millis,
        false,
        0);
  }

  /** The same load on a host with nothing special about it. */
  Task plain(int port, int millis) {
    return new Task(
        port, EndpointLayout.host("s0"), 1, connections, bytes, rate, millis, false, lateMillis());
  }

  private int lateMillis() {
    return is(Trait.HEDGES) ? LATE_MILLIS : 0;
  }

  static List<RouterScenario> all() {
    return ALL;
  }

  /** IllegalArgumentException for a name that none has. */
  static RouterScenario named(String name) {
    return ALL.stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "there is no scenario "
                    + name
                    + "; there are "
                    + Arrays.toString(ALL.stream().map(RouterScenario::name).toArray())));
  }
}
