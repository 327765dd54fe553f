package io.orrery.gateway.discovery;

import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lines that NNI's manager writes about an experiment, and that NNI's tools look for. */
final class ManagerLog {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private ManagerLog() {}

  /**
   * The lines that are written when the status of an experiment has changed.
   *
   * @param before null when the experiment is new
   */
  static List<String> lines(Experiment experiment, @Nullable ExperimentStatus before, Instant now) {
    List<String> lines = new ArrayList<>();
    String status = NniStatus.of(experiment.status());
    if (before == null) {
      lines.add(info("Experiment ID: " + experiment.id(), now));
    }
    lines.add(
        info(
            "Change NNIManager status from: %s to: %s"
                .formatted(before == null ? "INITIALIZED" : NniStatus.of(before), status),
            now));
    if (experiment.status() == ExperimentStatus.DONE) {
      lines.add(info("Experiment done", now));
    }
    if (experiment.error() != null) {
      lines.add(line("ERROR", experiment.error(), now));
    }
    return lines;
  }

  private static String info(String text, Instant now) {
    return line("INFO", text, now);
  }

  private static String line(String level, String text, Instant now) {
    return "[%s] %s (NNIManager) %s"
        .formatted(TIME.format(now.atZone(ZoneId.systemDefault())), level, text);
  }
}
