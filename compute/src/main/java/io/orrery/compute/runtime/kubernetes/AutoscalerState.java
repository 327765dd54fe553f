package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of a HorizontalPodAutoscaler, as its controller writes it. Pure. */
record AutoscalerState(JsonNode object) {
  /** The time in which a controller finds the numbers of new pods. */
  private static final Duration SETTLES = Duration.ofMinutes(2);

  /** Whether it decides on a number of replicas. */
  boolean decides() {
    return active("True").findAny().isPresent();
  }

  /** Why it has decided nothing for a while; null when it has, or may yet. */
  @Nullable String fault(Instant now) {
    return active("False")
        .filter(condition -> !condition.path("reason").asText().equals("ScalingDisabled"))
        .filter(condition -> since(condition).isBefore(now.minus(SETTLES)))
        .map(condition -> condition.path("message").asText())
        .findFirst()
        .orElse(null);
  }

  private Stream<JsonNode> active(String status) {
    return object
        .at("/status/conditions")
        .valueStream()
        .filter(condition -> condition.path("type").asText().equals("ScalingActive"))
        .filter(condition -> condition.path("status").asText().equals(status));
  }

  private static Instant since(JsonNode condition) {
    try {
      return Instant.parse(condition.path("lastTransitionTime").asText());
    } catch (DateTimeParseException none) {
      return Instant.MAX;
    }
  }
}
