package io.orrery.orchestrator.alert;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.util.List;

/**
 * The words of a mail about an alert.
 *
 * @param subject one line
 */
record AlertLetter(String subject, String text) {
  private static final List<String> SHOWN =
      List.of(
          "pipeline",
          "project",
          "version",
          "run",
          "dueRun",
          "status",
          "trigger",
          "due",
          "owner",
          "startedAt",
          "endedAt",
          "at");

  /**
   * Writes it.
   *
   * @param body of the alert
   * @param server the address of the page, without a slash at its end
   */
  static AlertLetter of(String body, String server) {
    JsonNode told = Json.parse(body);
    String pipeline = told.path("pipeline").asText();
    boolean ofRun = told.path("run").isTextual();
    StringBuilder text = new StringBuilder();
    for (String key : List.of("error", "reason")) {
      if (told.path(key).isTextual()) {
        text.append(told.path(key).asText()).append("\n\n");
      }
    }
    for (String key : SHOWN) {
      JsonNode value = told.path(key);
      if (!value.isMissingNode() && !value.isNull()) {
        text.append(key).append(": ").append(value.asText()).append('\n');
      }
    }
    text.append('\n')
        .append(server)
        .append(
            ofRun
                ? "/#/runs/" + told.path("run").asText()
                : "/#/pipelines/" + pipeline + "/schedule")
        .append('\n');
    return new AlertLetter(
        "%s: %s %s"
            .formatted(
                pipeline,
                ofRun ? "run " + told.path("run").asText() : "due run",
                told.path("status").asText()),
        text.toString());
  }
}
