package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.JobState.Phase;

/** Reads the conditions that Kubernetes' controllers, and most operators, give an object. */
public final class Conditions {
  private Conditions() {}

  /** The state that one condition makes, with its reason and its time. */
  public static JobState state(Phase phase, JsonNode condition) {
    String reason = condition.path("reason").asText();
    String message = condition.path("message").asText().strip();
    String words = reason + (reason.isEmpty() || message.isEmpty() ? "" : ": ") + message;
    return new JobState(
        phase, words.isEmpty() ? null : words, PodView.time(condition.path("lastTransitionTime")));
  }
}
