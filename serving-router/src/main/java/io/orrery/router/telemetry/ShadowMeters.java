package io.orrery.router.telemetry;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The numbers of the copies that shadows get, by the service that was asked. */
public final class ShadowMeters {
  private static final String REQUESTS = "orrery_router_mirror_requests_total";
  private static final String DIVERGENCES = "orrery_router_mirror_divergences_total";
  private static final String TIMES = "orrery_router_mirror_duration_seconds";

  /** The end of a copy. */
  public enum Copy {
    SENT("sent"),
    DROPPED("dropped"),
    FAILED("failed");

    private final String label;

    Copy(String label) {
      this.label = label;
    }
  }

  /** The shadows of whose differences the bodies are kept: what they hold is bounded by that. */
  private static final int MOST_WITH_BODIES = 256;

  private final Map<String, Map<String, Shadow>> shadows = new ConcurrentHashMap<>();

  /** The numbers of one shadow of a service. */
  public Shadow of(String service, String version) {
    Map<String, Shadow> versions = shadows.get(service);
    Shadow known = versions == null ? null : versions.get(version);
    return known == null
        ? shadows
            .computeIfAbsent(service, s -> new ConcurrentHashMap<>())
            .computeIfAbsent(version, v -> new Shadow(count() < MOST_WITH_BODIES))
        : known;
  }

  private int count() {
    return shadows.values().stream().mapToInt(Map::size).sum();
  }

  /** The numbers of one shadow. */
  public static final class Shadow {
    private final Map<Copy, LongAdder> copies = new EnumMap<>(Copy.class);
    private final LongAdder otherStatus = new LongAdder();
    private final LongAdder otherBody = new LongAdder();
    private final Histogram times = new Histogram();
    private final Differences differences;

    private Shadow(boolean withBodies) {
      this.differences = new Differences(withBodies);
      for (Copy end : Copy.values()) {
        copies.put(end, new LongAdder());
      }
    }

    public void copy(Copy what) {
      count(what).increment();
    }

    /** All ends have a counter from the beginning, so the map itself never changes. */
    private LongAdder count(Copy end) {
      return Objects.requireNonNull(copies.get(end));
    }

    private Copies copies(String version) {
      long[] seen = new long[Histogram.BUCKETS];
      times.addTo(seen);
      return new Copies(
          version,
          count(Copy.SENT).sum(),
          count(Copy.DROPPED).sum(),
          count(Copy.FAILED).sum(),
          otherStatus.sum(),
          otherBody.sum(),
          seen);
    }

    /**
     * Both have answered.
     *
     * @param sameBody counts only where the status is the same
     * @param at milliseconds since the epoch
     * @param request its method and path
     */
    public void compared(
        boolean sameStatus,
        boolean sameBody,
        long at,
        String request,
        Differences.Answer told,
        Differences.Answer said) {
      times.record(said.nanos());
      Differences.Kind kind = Differences.kind(sameStatus, sameBody, told.nanos(), said.nanos());
      if (kind != null) {
        differences.add(new Differences.Difference(kind, at, request, told, said));
      }
      if (!sameStatus) {
        otherStatus.increment();
      } else if (!sameBody) {
        otherBody.increment();
      }
    }
  }

  /**
   * The copies for a shadow since the start, by their ends.
   *
   * @param version the shadow
   * @param divergences answers with another status than the client got
   * @param bodyDivergences those with the same status and another body, where bodies are compared
   * @param times of those that were answered, as of {@link Meters.Answers}
   */
  public record Copies(
      String version,
      long sent,
      long dropped,
      long failed,
      long divergences,
      long bodyDivergences,
      long[] times) {}

  /** The shadows of every service that has some. */
  public Map<String, List<Copies>> all() {
    Map<String, List<Copies>> all = new HashMap<>();
    eachShadow((service, version, shadow) ->
        all.computeIfAbsent(service, s -> new ArrayList<>()).add(shadow.copies(version)));
    return all;
  }

  /**
   * The last differences of a shadow of a service, the newest first.
   *
   * @return none for one that is unknown
   */
  public List<Differences.Difference> differences(String service, String version) {
    Shadow shadow = shadows.getOrDefault(service, Map.of()).get(version);
    return shadow == null ? List.of() : shadow.differences.all();
  }

  /** The shadows of one service. */
  public List<Copies> of(String service) {
    List<Copies> all = new ArrayList<>();
    new TreeMap<>(shadows.getOrDefault(service, Map.of()))
        .forEach((version, shadow) -> all.add(shadow.copies(version)));
    return all;
  }

  /** Forgets what has left the table. */
  void retain(Set<String> services) {
    shadows.keySet().retainAll(services);
    shadows.values().forEach(versions -> versions.keySet().retainAll(services));
  }

  void expose(Exposition out) {
    out.metric(REQUESTS, "counter", "Copies of requests, by what became of them.");
    eachShadow((service, version, shadow) -> {
      for (Copy what : Copy.values()) {
        out.sample(
            REQUESTS,
            shadow.count(what).sum(),
            "service",
            service,
            "version",
            version,
            "result",
            what.label);
      }
    });
    out.metric(
        DIVERGENCES,
        "counter",
        "Copies that were answered with another status, or with the same and another body.");
    eachShadow((service, version, shadow) -> {
      exposeDivergences(out, service, version, "status", shadow.otherStatus);
      exposeDivergences(out, service, version, "body", shadow.otherBody);
    });
    out.metric(TIMES, "histogram", "Time that a shadow took.");
    eachShadow((service, version, shadow) ->
        shadow.times.expose(out, TIMES, "service", service, "version", version));
  }

  private interface Visitor {
    void see(String service, String version, Shadow shadow);
  }

  /** All of them, in the order of their names. */
  private void eachShadow(Visitor visitor) {
    new TreeMap<>(shadows)
        .forEach((service, versions) ->
            new TreeMap<>(versions)
                .forEach((version, shadow) -> visitor.see(service, version, shadow)));
  }

  private static void exposeDivergences(
      Exposition out, String service, String version, String differs, LongAdder count) {
    out.sample(
        DIVERGENCES, count.sum(), "service", service, "version", version, "differs", differs);
  }
}
