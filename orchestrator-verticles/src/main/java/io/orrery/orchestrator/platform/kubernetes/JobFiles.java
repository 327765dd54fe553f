package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import io.orrery.core.trial.AttemptRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What must be known of attempts after a restart and neither the cluster nor a keeper can tell: how
 * an experiment was set up, and those ends that no keeper has told.
 */
final class JobFiles {
  private final Path home;

  JobFiles(Path home) {
    this.home = home;
  }

  /**
   * An end that no keeper told.
   *
   * @param ran whether it had started
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record End(boolean ran, @Nullable Integer exitCode, Instant at, @Nullable String reason) {}

  /** Keeps what an experiment was prepared with. */
  void prepared(ExperimentId experiment, ExperimentSpec spec) throws IOException {
    Path file = experiment(experiment).resolve("experiment.json");
    String text = Json.write(spec);
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      write(file, text);
    }
  }

  /** What an experiment was prepared with; null when it was not. */
  @Nullable ExperimentSpec prepared(ExperimentId experiment) throws IOException {
    return read(experiment(experiment).resolve("experiment.json"), ExperimentSpec.class);
  }

  void ended(AttemptRef attempt, End end) throws IOException {
    write(file(attempt), Json.write(end));
  }

  /** The end that was kept; null when there is none. */
  @Nullable End ended(AttemptRef attempt) throws IOException {
    return read(file(attempt), End.class);
  }

  private Path experiment(ExperimentId experiment) {
    return home.resolve("experiments").resolve(experiment.value()).resolve("cluster");
  }

  private Path file(AttemptRef attempt) {
    return experiment(attempt.trial().experiment())
        .resolve(attempt.trial().trial() + "." + attempt.number() + ".json");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Path draft = Files.createTempFile(file.getParent(), "new", null);
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static <T> @Nullable T read(Path file, Class<T> type) throws IOException {
    try {
      return Json.read(Files.readString(file), type);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
