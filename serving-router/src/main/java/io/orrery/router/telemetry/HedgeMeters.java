package io.orrery.router.telemetry;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The numbers of requests that were sent to a second endpoint as well, by who answers. */
public final class HedgeMeters {
  private static final String SENT = "orrery_router_hedges_total";
  private static final String WON = "orrery_router_hedges_won_total";
  private static final String CANCELLED = "orrery_router_hedges_cancelled_total";
  private static final String WITHHELD = "orrery_router_hedges_withheld_total";

  /** A reason why a request that could have been hedged was not. */
  public enum Withheld {
    /** There were as many hedges as there may be. */
    BUDGET("budget"),
    /** No other endpoint is well. */
    ENDPOINT("endpoint"),
    /** All connections to the other endpoint are in use. */
    CONNECTIONS("connections"),
    /** There are too few answers for a percentile of their times. */
    SAMPLES("samples");

    private final String label;

    Withheld(String label) {
      this.label = label;
    }
  }

  private static final class Counts {
    private final LongAdder sent = new LongAdder();
    private final LongAdder won = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final Map<Withheld, LongAdder> withheld = new EnumMap<>(Withheld.class);

    private Counts() {
      for (Withheld why : Withheld.values()) {
        withheld.put(why, new LongAdder());
      }
    }
  }

  private final Map<String, Counts> versions = new ConcurrentHashMap<>();

  HedgeMeters() {}

  private Counts of(String version) {
    return versions.computeIfAbsent(version, added -> new Counts());
  }

  /** A request was sent to a second endpoint. */
  public void sent(String version) {
    of(version).sent.increment();
  }

  /** The client gets the answer of the second endpoint. */
  public void won(String version) {
    of(version).won.increment();
  }

  /** The attempt at one endpoint was ended, because the other one has answered. */
  public void cancelled(String version) {
    of(version).cancelled.increment();
  }

  /** A request was not sent to a second endpoint. */
  public void withheld(String version, Withheld why) {
    Objects.requireNonNull(of(version).withheld.get(why)).increment();
  }

  void retain(Set<String> kept) {
    versions.keySet().retainAll(kept);
  }

  void expose(Exposition out) {
    Map<String, Counts> sorted = new TreeMap<>(versions);
    out.metric(SENT, "counter", "Requests that were sent to a second endpoint as well.");
    sorted.forEach((version, all) -> out.sample(SENT, all.sent.sum(), "version", version));
    out.metric(WON, "counter", "Requests that the second endpoint answered.");
    sorted.forEach((version, all) -> out.sample(WON, all.won.sum(), "version", version));
    out.metric(CANCELLED, "counter", "Attempts ended because the other endpoint has answered.");
    sorted.forEach(
        (version, all) -> out.sample(CANCELLED, all.cancelled.sum(), "version", version));
    out.metric(WITHHELD, "counter", "Requests that were not sent to a second endpoint, and why.");
    sorted.forEach((version, all) ->
        all.withheld.forEach((why, count) ->
            out.sample(WITHHELD, count.sum(), "version", version, "reason", why.label)));
  }
}
