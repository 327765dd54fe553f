package io.orrery.router.telemetry;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;

/**
 * The list of all numbers of the router. Labels are services, endpoints and code classes, which a
 * table bounds, and never anything that a client chose.
 */
public final class Meters {
  private static final String REQUESTS = "orrery_router_request_duration_seconds";
  private static final int CLASSES = 5;

  /** The place of 2xx among the classes. */
  private static final int SUCCESS = 1;

  /** A reason why a request was not forwarded, or its forwarding failed. */
  public enum Refusal {
    MALFORMED("malformed"),
    UNKNOWN_HOST("unknown_host"),
    NO_ENDPOINT("no_endpoint"),
    OVER_REQUESTS("over_requests"),
    SHED("shed"),
    OVER_PENDING("over_pending"),
    OVER_HELD("over_held"),
    OVER_RATE("over_rate"),
    OVER_MEMORY("over_memory"),
    CONNECT_FAILED("connect_failed"),
    BROKEN("broken"),
    TIMEOUT("timeout"),
    CLIENT_TIMEOUT("client_timeout"),
    UNSUPPORTED("unsupported"),
    NO_PASS("no_pass");

    private final String label;

    Refusal(String label) {
      this.label = label;
    }
  }

  /** A reason why a client was cut off while bytes waited for it. */
  public enum Cut {
    /** It took too few of them. */
    SLOW("slow"),
    /** Too much was held for all clients together. */
    MEMORY("memory");

    private final String label;

    Cut(String label) {
      this.label = label;
    }
  }

  private final Map<String, Map<String, Served>> requests = new ConcurrentHashMap<>();
  private final ShadowMeters shadows = new ShadowMeters();
  private final TcpMeters tcp = new TcpMeters();
  private final HedgeMeters hedges = new HedgeMeters();
  private final Map<String, LongAdder> retries = new ConcurrentHashMap<>();
  private final Map<Refusal, LongAdder> refusals = adders(Refusal.class);
  private final Map<Cut, LongAdder> cuts = adders(Cut.class);
  private final Map<Integer, Long> held = new ConcurrentHashMap<>();
  private final LongAdder connectionsRefused = new LongAdder();
  private final LongAdder retriesWithheld = new LongAdder();
  private final LongAdder abandoned = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final LongAdder handedOver = new LongAdder();
  private final LongAdder swaps = new LongAdder();

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kind) {
    Map<E, LongAdder> all = new EnumMap<>(kind);
    for (E each : kind.getEnumConstants()) {
      all.put(each, new LongAdder());
    }
    return all;
  }

  /** All kinds have a counter from the beginning, so the map itself never changes. */
  private static <E extends Enum<E>> LongAdder of(Map<E, LongAdder> all, E kind) {
    return Objects.requireNonNull(all.get(kind));
  }

  /**
   * A request was answered.
   *
   * @param service whose host it was for
   * @param version who answered
   */
  public void answered(String service, String version, int status, long nanos) {
    served(service, version).answered(status, nanos);
  }

  /**
   * The numbers of one version that answers for a service; they are not reported any more when the
   * service has left the table.
   *
   * @param service whose hosts are asked for
   * @param version who answers
   */
  public Served served(String service, String version) {
    Map<String, Served> versions = requests.get(service);
    Served known = versions == null ? null : versions.get(version);
    return known == null
        ? requests
            .computeIfAbsent(service, s -> new ConcurrentHashMap<>())
            .computeIfAbsent(version, v -> new Served())
        : known;
  }

  /**
   * The numbers of a version that has answered for a service: how long each class of codes took.
   */
  public static final class Served {
    private final Histogram[] classes = new Histogram[CLASSES];

    private Served() {
      for (int i = 0; i < CLASSES; i++) {
        classes[i] = new Histogram();
      }
    }

    /** A request was answered. */
    public void answered(int status, long nanos) {
      classes[Math.clamp(status / 100 - 1, 0, CLASSES - 1)].record(nanos);
    }

    /**
     * The counts of answers with 2xx since the start, by how long they took: one more than {@link
     * Meters#boundsMicros}.
     */
    public long[] successTimes() {
      long[] times = new long[Histogram.BUCKETS];
      classes[SUCCESS].addTo(times);
      return times;
    }

    private Answers sum(String version) {
      long[] codes = new long[CLASSES];
      long[] times = new long[Histogram.BUCKETS];
      for (int i = 0; i < CLASSES; i++) {
        codes[i] = classes[i].addTo(times);
      }
      return new Answers(version, codes, times);
    }

    private long count() {
      return LongStream.of(sum("").codes()).sum();
    }

    private void expose(Exposition out, String service, String version) {
      for (int i = 0; i < CLASSES; i++) {
        classes[i].expose(
            out, REQUESTS, "service", service, "version", version, "code", (i + 1) + "xx");
      }
    }
  }

  public void refused(Refusal why) {
    of(refusals, why).increment();
  }

  public void retried(String version) {
    retries.computeIfAbsent(version, v -> new LongAdder()).increment();
  }

  /** The budget had nothing left for a retry. */
  public void retryWithheld() {
    retriesWithheld.increment();
  }

  /** The client went away before its answer was there. */
  public void abandoned() {
    abandoned.increment();
  }

  /** A client's connection opened, or with -1 closed. */
  public void connection(int change) {
    connections.add(change);
  }

  /** Open connections of clients. */
  public long connections() {
    return connections.sum();
  }

  /** A connection was closed at once, because as many are open as may be. */
  public void connectionRefused() {
    connectionsRefused.increment();
  }

  /** A client was cut off while bytes waited for it. */
  public void cut(Cut why) {
    of(cuts, why).increment();
  }

  /** So many bytes wait in an event loop for clients and endpoints. */
  public void held(int loop, long bytes) {
    held.put(loop, bytes);
  }

  /** A connection said something that is not understood as bytes, and took the other way. */
  public void handedOver() {
    handedOver.increment();
  }

  /** A new table is in force. */
  public void swapped(Set<String> services) {
    swaps.increment();
    requests.keySet().retainAll(services);
    requests.values().forEach(versions -> versions.keySet().retainAll(services));
    shadows.retain(services);
    tcp.retain(services);
    hedges.retain(services);
    retries.keySet().retainAll(services);
  }

  /** The numbers of connections at the ports of services. */
  public TcpMeters tcp() {
    return tcp;
  }

  /** The numbers of requests that were sent to a second endpoint as well. */
  public HedgeMeters hedges() {
    return hedges;
  }

  /** The numbers of the copies for shadows. */
  public ShadowMeters shadows() {
    return shadows;
  }

  /**
   * The answers of one service to the requests for another since the start.
   *
   * @param version who answered
   * @param codes how many answers there were of 1xx, 2xx, … 5xx
   * @param times how many took as long as each bucket says: one more than {@link #boundsMicros}
   */
  public record Answers(String version, long[] codes, long[] times) {}

  /** The upper ends of the buckets of times, in microseconds; the last bucket has none. */
  public static long[] boundsMicros() {
    return Histogram.boundsMicros();
  }

  /** Who has answered for a service, by name. */
  public List<Answers> answersOf(String service) {
    List<Answers> all = new ArrayList<>();
    new TreeMap<>(requests.getOrDefault(service, Map.of()))
        .forEach((version, served) -> all.add(served.sum(version)));
    return all;
  }

  /** Shows what everyone has answered for every service. */
  void eachAnswers(BiConsumer<String, Answers> visitor) {
    requests.forEach((service, versions) ->
        versions.forEach((version, served) -> visitor.accept(service, served.sum(version))));
  }

  /** The number of requests that a service has answered, for itself and for others. */
  public long answeredBy(String version) {
    long all = 0;
    for (Map<String, Served> versions : requests.values()) {
      Served served = versions.get(version);
      all += served == null ? 0 : served.count();
    }
    return all;
  }

  /** Writes all of it. */
  public void expose(Exposition out) {
    out.metric(REQUESTS, "histogram", "Time from a request's head to the end of its answer.");
    new TreeMap<>(requests)
        .forEach((service, versions) ->
            new TreeMap<>(versions)
                .forEach((version, served) -> served.expose(out, service, version)));
    out.metric(
        "orrery_router_refusals_total", "counter", "Requests that were not forwarded, or failed.");
    for (Refusal why : Refusal.values()) {
      out.sample("orrery_router_refusals_total", of(refusals, why).sum(), "reason", why.label);
    }
    out.metric("orrery_router_retries_total", "counter", "Attempts after the first.");
    new TreeMap<>(retries)
        .forEach((version, count) ->
            out.sample("orrery_router_retries_total", count.sum(), "version", version));
    single(
        out,
        "orrery_router_retries_withheld_total",
        "counter",
        "Retries that the budget did not allow.",
        retriesWithheld);
    single(
        out,
        "orrery_router_abandoned_total",
        "counter",
        "Requests whose client went away.",
        abandoned);
    single(out, "orrery_router_connections", "gauge", "Open connections of clients.", connections);
    single(
        out,
        "orrery_router_connections_refused_total",
        "counter",
        "Connections that were closed at once, because as many were open as may be.",
        connectionsRefused);
    out.metric(
        "orrery_router_held_bytes",
        "gauge",
        "Bytes of requests and answers that wait for clients and endpoints.");
    out.sample("orrery_router_held_bytes", held.values().stream().mapToLong(Long::longValue).sum());
    out.metric(
        "orrery_router_cut_total", "counter", "Clients cut off while bytes waited for them.");
    for (Cut why : Cut.values()) {
      out.sample("orrery_router_cut_total", of(cuts, why).sum(), "reason", why.label);
    }
    single(
        out,
        "orrery_router_handed_over_total",
        "counter",
        "Connections that were not plain HTTP/1.1 to their end.",
        handedOver);
    single(
        out, "orrery_router_table_swaps_total", "counter", "Tables that came into force.", swaps);
    hedges.expose(out);
    tcp.expose(out);
    shadows.expose(out);
  }

  private static void single(
      Exposition out, String name, String type, String help, LongAdder value) {
    out.metric(name, type, help);
    out.sample(name, value.sum());
  }
}
