package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.rollout.RolloutPolicy;
import io.orrery.studio.rollout.RolloutPolicy.LatencyGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code rollout} of a service's document. */
final class RolloutReader {
  private static final List<Integer> STEPS = List.of(5, 25, 50, 100);
  private static final Duration EVERY = Duration.ofMinutes(2);
  private static final Duration KEEP_WARM = Duration.ofMinutes(10);
  private static final int REQUESTS = 20;
  private static final int MOST_STEPS = 100;
  private static final int MOST_REQUESTS = 1_000_000_000;
  private static final Pattern ERRORS =
      Pattern.compile("<?\\s*([0-9]{1,3}(?:\\.[0-9]{1,3})?)\\s*%");
  private static final Pattern LATENCY =
      Pattern.compile("<?\\s*([0-9]{1,7}(?:\\.[0-9]{1,3})?)\\s*(x|ms|s)");

  private RolloutReader() {}

  /** The policy of a document; all requests at once when it has no such key. */
  static RolloutPolicy read(DocumentKeys document) {
    ObjectNode object = document.object("rollout");
    if (object == null) {
      return RolloutPolicy.AT_ONCE;
    }
    DocumentKeys keys =
        document.inner(object, "rollout", List.of("steps", "every", "gates", "keepWarm"));
    ObjectNode written = keys.object("gates");
    DocumentKeys gates =
        written == null
            ? null
            : keys.inner(written, "gates", List.of("errors", "p50", "p99", "requests"));
    Integer requests = gates == null ? null : gates.integer("requests", 0, MOST_REQUESTS);
    return new RolloutPolicy(
        steps(keys),
        keys.duration("every", EVERY),
        gates == null ? null : errors(gates),
        gates == null ? null : latency(gates, "p50"),
        gates == null ? null : latency(gates, "p99"),
        requests == null ? REQUESTS : requests,
        keys.duration("keepWarm", KEEP_WARM));
  }

  private static List<Integer> steps(DocumentKeys keys) {
    JsonNode value = keys.value("steps");
    if (value == null) {
      return STEPS;
    }
    List<Integer> steps = new ArrayList<>();
    boolean right = value.isArray() && !value.isEmpty() && value.size() <= MOST_STEPS;
    int last = 0;
    for (JsonNode step : value) {
      right &= step.isIntegralNumber() && step.asInt() > last && step.asInt() <= 100;
      last = step.asInt();
      steps.add(last);
    }
    if (!right || last != 100) {
      keys.wrong("steps", "steps is a list of rising percents to 100, such as [5, 25, 50, 100]");
      return STEPS;
    }
    return steps;
  }

  private static @Nullable Double errors(DocumentKeys gates) {
    String text = gates.text("errors", 20);
    if (text == null) {
      return null;
    }
    Matcher parts = ERRORS.matcher(text.strip());
    double percent = parts.matches() ? Double.parseDouble(parts.group(1)) : 0;
    if (percent <= 0 || percent > 100) {
      gates.wrong("errors", "errors is the share that the new service stays below, such as <1%");
      return null;
    }
    return percent / 100;
  }

  private static @Nullable LatencyGate latency(DocumentKeys gates, String key) {
    String text = gates.text(key, 20);
    if (text == null) {
      return null;
    }
    Matcher parts = LATENCY.matcher(text.strip());
    double bound = parts.matches() ? Double.parseDouble(parts.group(1)) : 0;
    if (bound <= 0) {
      gates.wrong(key, key + " is <1.2x of the service before, or a time such as <250ms");
      return null;
    }
    return switch (parts.group(2)) {
      case "x" -> new LatencyGate(bound, true);
      case "s" -> new LatencyGate(bound * 1_000, false);
      default -> new LatencyGate(bound, false);
    };
  }
}
