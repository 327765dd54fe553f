package io.orrery.router.route;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code limits} of a service. */
final class LimitsReader {
  private static final int MOST_AT_ONCE = 1_000_000;
  private static final int MOST_CLASSES = 16;

  private LimitsReader() {}

  static Limits read(Section service) {
    Section limits =
        service.section(
            "limits", "connections", "pending", "requests", "rate", "rateBy", "priority");
    Limits standard = Limits.DEFAULT;
    Limits.Rate rate =
        limits.measure(
            "rate",
            new Limits.Rate(0, Duration.ofSeconds(1), new RequestKey.Client()),
            Measures::rate,
            found -> found.count() > 0,
            "is N/second, N/minute or N/hour with N above zero");
    RequestKey by = rateBy(service, limits);
    if (service.has(TcpKeys.TCP) && limits.has("priority")) {
      limits.refuse("priority", "a service with tcp takes connections, which have no priority");
    }
    return new Limits(
        limits.integer("connections", standard.connections(), 1, MOST_AT_ONCE),
        limits.integer("pending", standard.pending(), 0, MOST_AT_ONCE),
        limits.integer("requests", standard.requests(), 1, MOST_AT_ONCE),
        rate.count() == 0 ? null : new Limits.Rate(rate.count(), rate.per(), by),
        limits.has("priority")
            ? priorities(limits.section("priority", "header", "classes", "other"))
            : null);
  }

  private static RequestKey rateBy(Section service, Section limits) {
    if (service.has(TcpKeys.TCP) && limits.has("rateBy")) {
      limits.refuse("rateBy", "a service with tcp takes connections, which have no header");
    }
    if (limits.has("rateBy") && !limits.has("rate")) {
      limits.refuse("rateBy", "rateBy says whose rate is counted, and there is no rate");
    }
    return BalanceKeys.key(limits, "rateBy", "client");
  }

  private static @Nullable Priorities priorities(Section priority) {
    String header = priority.text("header");
    if (header == null) {
      priority.refuse("header", "priority has the header whose value is the class of a request");
      return null;
    }
    priority.refuseIf("header", Spelling.ofName(header));
    Map<String, Double> parts = new TreeMap<>();
    priority
        .map("classes", LimitsReader::faultOfPart)
        .forEach((name, part) -> {
          if (faultOfPart(part) == null) {
            parts.put(name, Measures.percent(part));
          }
        });
    if (parts.size() > MOST_CLASSES) {
      priority.refuse("classes", "at most " + MOST_CLASSES + " classes, not " + parts.size());
    }
    return new Priorities(header, parts, priority.percent("other", 100));
  }

  private static @Nullable String faultOfPart(String text) {
    try {
      if (Measures.percent(text) <= 100) {
        return null;
      }
    } catch (IllegalArgumentException e) {
      // Told below, together with what is too much.
    }
    return "a part is a percentage from 0% to 100%, not '" + text + "'";
  }
}
