package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.batch.JobView;
import io.orrery.compute.batch.JobView.Phase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A table of OpenPAI's words for a job's state. */
final class OpenPaiStatus {
  private OpenPaiStatus() {}

  /**
   * @param status an entry of the list of jobs, or {@code jobStatus} of one
   */
  static JobView of(String name, JsonNode status) {
    String state = status.path("state").asText();
    JsonNode exit = status.path("appExitCode");
    Integer code = exit.isInt() && exit.intValue() >= 0 ? Integer.valueOf(exit.intValue()) : null;
    return JobView.of(name, phase(state, status), state)
        .because(reason(status))
        .at(time(status.path("appLaunchedTime")), time(status.path("appCompletedTime")))
        .exiting(code);
  }

  private static Phase phase(String state, JsonNode status) {
    return switch (state) {
      case "RUNNING", "STOPPING" -> Phase.RUNNING;
      case "SUCCEEDED" -> Phase.SUCCEEDED;
      // Codes below zero are OpenPAI's own; some of them are the user's fault even so.
      case "FAILED" ->
          status.at("/appExitSpec/type").asText().startsWith("PLATFORM")
              ? Phase.LOST
              : Phase.FAILED;
      case "STOPPED" -> Phase.STOPPED;
      default -> Phase.WAITING;
    };
  }

  private static @Nullable String reason(JsonNode status) {
    String phrase = status.at("/appExitSpec/phrase").asText();
    String words = status.path("appExitDiagnostics").asText("");
    String first = words.lines().findFirst().orElse("").strip();
    if (first.isEmpty() || first.equals(phrase)) {
      return phrase.isEmpty() ? null : phrase;
    }
    return phrase.isEmpty() ? first : phrase + ": " + first;
  }

  private static @Nullable Instant time(JsonNode millis) {
    return millis.isIntegralNumber() && millis.longValue() > 0
        ? Instant.ofEpochMilli(millis.longValue())
        : null;
  }
}
