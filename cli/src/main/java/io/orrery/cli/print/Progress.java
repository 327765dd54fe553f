package io.orrery.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an experiment.
 *
 * @param status the API's word
 * @param done trials that have ended, however; imported ones only where there is no limit
 * @param total how many there will be at most; null without a limit
 * @param best {@code 0.9567 (abcde)}; null before the first result
 * @param left until the end at the present pace; null when it cannot be told
 */
public record Progress(
    String status,
    long done,
    @Nullable Long total,
    long running,
    @Nullable String best,
    @Nullable Duration left) {

  /**
   * What an experiment of the API says.
   *
   * @param watched since when its progress is known
   */
  public static Progress of(JsonNode experiment, Duration watched) {
    JsonNode counts = experiment.path("trialCounts");
    long done =
        Stream.of("SUCCEEDED", "FAILED", "USER_CANCELED", "SYS_CANCELED", "EARLY_STOPPED")
            .mapToLong(status -> counts.path(status).asLong())
            .sum();
    JsonNode limit = experiment.path("maxTrialNumber");
    Long total = limit.isNumber() ? (Long) limit.asLong() : null;
    if (total != null) {
      // What was imported counts to no limit: 30 of 30, not 330 of 30.
      done -= experiment.path("importedTrials").asLong();
    }
    JsonNode best = experiment.path("best");
    return new Progress(
        experiment.path("status").asText(),
        done,
        total,
        counts.path("RUNNING").asLong(),
        best.isObject()
            ? Words.value(best.path("metric")) + " (" + best.path("trial").asText() + ")"
            : null,
        left(experiment, done, total, watched));
  }

  private static @Nullable Duration left(
      JsonNode experiment, long done, @Nullable Long total, Duration watched) {
    JsonNode seconds = experiment.path("executionSeconds");
    double elapsed = seconds.isNumber() ? seconds.asDouble() : watched.toMillis() / 1000.0;
    double byPace =
        total == null || done == 0 || total < done
            ? Double.POSITIVE_INFINITY
            : elapsed / done * (total - done);
    JsonNode limit = experiment.path("maxExperimentDuration");
    double byLimit =
        limit.isNumber() ? Math.max(0, limit.asDouble() - elapsed) : Double.POSITIVE_INFINITY;
    double left = Math.min(byPace, byLimit);
    return Double.isInfinite(left) ? null : Duration.ofSeconds(Math.round(left));
  }

  /** {@code 12/20}, or {@code 12} without a limit. */
  public String count() {
    return total == null ? Long.toString(done) : done + "/" + total;
  }

  /** One line without a bar: {@code 12/20 trials · 2 running · best 0.9567 (abcde) · 48 s left}. */
  public String text() {
    List<String> parts = new ArrayList<>();
    parts.add(count() + (done == 1 && total == null ? " trial" : " trials"));
    if (!status.equals("RUNNING")) {
      parts.add(status);
    }
    parts.add(running + " running");
    if (best != null) {
      parts.add("best " + best);
    }
    if (left != null && status.equals("RUNNING")) {
      parts.add(Words.duration(left) + " left");
    }
    return String.join(" · ", parts);
  }

  /**
   * The line with a bar that takes what the text leaves, at most 24 cells; too narrow a terminal
   * gets the beginning of the text.
   *
   * @param columns the width of the terminal; its last column stays free, some would wrap
   */
  public String line(int columns) {
    String text = text();
    int room = columns - 1;
    int cells = Math.min(24, room - text.length() - 3);
    if (total == null || total <= 0 || cells < 4) {
      return Words.cut(text, room);
    }
    int full = (int) Math.min(cells, done * cells / total);
    return "▕" + "█".repeat(full) + "░".repeat(cells - full) + "▏ " + text;
  }

  /** The same in ASCII, for terminals that have no more. */
  public static String plain(String line) {
    return line.replace("▕", "[")
        .replace("▏", "]")
        .replace("█", "#")
        .replace("░", ".")
        .replace("·", "-")
        .replace("…", "~");
  }
}
