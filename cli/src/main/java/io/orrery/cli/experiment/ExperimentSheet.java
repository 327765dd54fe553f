package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.print.LabelledLines;
import io.orrery.cli.print.Progress;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A view of one experiment in lines of a label and a value. */
final class ExperimentSheet {
  private ExperimentSheet() {}

  /**
   * Prints it.
   *
   * @param waiting the first trial that waits, as the API has it; missing when none does
   */
  static void print(JsonNode experiment, JsonNode waiting, Terminal terminal) {
    Instant now = terminal.clock().instant();
    line(terminal, "id", experiment.path("id").asText());
    line(terminal, "name", Words.value(experiment.path("name")));
    line(terminal, "status", terminal.style().status(experiment.path("status").asText()));
    if (experiment.path("error").isTextual()) {
      LabelledLines.labelled(terminal, "error", experiment.path("error").asText());
    }
    line(terminal, "tuner", Words.value(experiment.path("tuner")));
    line(terminal, "platform", Words.value(experiment.path("platform")));
    line(terminal, "trials", trials(experiment));
    if (waiting.path("reason").isTextual()) {
      line(
          terminal,
          "waiting",
          waiting.path("id").asText() + ": " + waiting.path("reason").asText());
    }
    JsonNode best = experiment.path("best");
    if (best.isObject()) {
      String metric = Words.value(best.path("metric"));
      line(
          terminal,
          "best",
          metric
              + " by "
              + best.path("trial").asText()
              + " with "
              + Words.value(best.path("parameters")));
    }
    printKnowledge(experiment, terminal);
    line(terminal, "created", Words.ago(experiment.path("createdAt"), now));
    if (experiment.path("startedAt").isTextual()) {
      // Pauses and stops aside, which the times of start and end do not tell.
      Duration ran =
          Duration.ofMillis((long) (experiment.path("executionSeconds").asDouble() * 1000));
      boolean over = experiment.path("endedAt").isTextual();
      line(terminal, over ? "ran for" : "running for", Words.duration(ran));
    }
    if (experiment.path("endedAt").isTextual()) {
      line(terminal, "ended", Words.ago(experiment.path("endedAt"), now));
    }
  }

  /** Prints what the search knows beyond the best result. */
  private static void printKnowledge(JsonNode experiment, Terminal terminal) {
    JsonNode incumbent = experiment.path("incumbent");
    if (incumbent.isObject()) {
      int tried = incumbent.path("trials").size();
      line(
          terminal,
          "likely best",
          Words.value(incumbent.path("mean"))
              + " on average of "
              + tried
              + (tried == 1 ? " trial with " : " trials with ")
              + Words.value(incumbent.path("parameters")));
    }
    experiment
        .path("transfer")
        .path("sources")
        .forEach(source -> line(terminal, "learnt from", learnt(source)));
  }

  private static String learnt(JsonNode source) {
    StringBuilder all =
        new StringBuilder(source.path("experiment").asText())
            .append(": ")
            .append(source.path("used").asInt())
            .append(" trials, weight ")
            .append(Math.round(100 * source.path("weight").asDouble()))
            .append(" %");
    source
        .path("renamed")
        .properties()
        .forEach(renamed ->
            all.append(", ")
                .append(renamed.getKey())
                .append(" as ")
                .append(renamed.getValue().asText()));
    return all.toString();
  }

  private static String trials(JsonNode experiment) {
    List<String> counts = new ArrayList<>();
    experiment
        .path("trialCounts")
        .properties()
        .forEach(count -> counts.add(count.getValue().asText() + " " + count.getKey()));
    String all = Progress.of(experiment, Duration.ZERO).count() + " ended";
    return counts.isEmpty() ? all : all + " (" + String.join(", ", counts) + ")";
  }

  private static void line(Terminal terminal, String label, String value) {
    LabelledLines.labelled(terminal, label, value);
  }
}
