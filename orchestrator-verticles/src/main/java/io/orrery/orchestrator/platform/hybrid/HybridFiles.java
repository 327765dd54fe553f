package io.orrery.orchestrator.platform.hybrid;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.AttemptLayout;
import io.orrery.orchestrator.platform.DirectoryTree;
import io.orrery.orchestrator.platform.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Which platform has which attempt, and how experiments were set up: known after a restart. */
final class HybridFiles {
  private final Path home;

  HybridFiles(Path home) {
    this.home = home;
  }

  /**
   * Where an attempt was sent.
   *
   * @param member the platform's name; null for one that was canceled before it was sent anywhere
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Place(@Nullable String member) {}

  /** Where an attempt was sent; null when it was not. */
  @Nullable Place place(AttemptRef attempt) throws IOException {
    return read(file(attempt), Place.class);
  }

  /** Before it is sent there: who finds nothing knows that nobody has it. */
  void place(AttemptRef attempt, Place place) throws IOException {
    DurableFile.write(file(attempt), Json.write(place).getBytes(StandardCharsets.UTF_8));
  }

  void forget(AttemptRef attempt) throws IOException {
    Files.deleteIfExists(file(attempt));
  }

  @Nullable ExperimentSpec prepared(ExperimentId experiment) throws IOException {
    return read(directory(experiment).resolve("experiment.json"), ExperimentSpec.class);
  }

  void prepared(ExperimentId experiment, ExperimentSpec spec) throws IOException {
    DurableFile.write(
        directory(experiment).resolve("experiment.json"),
        Json.write(spec).getBytes(StandardCharsets.UTF_8));
  }

  void cleanUp(ExperimentId experiment) throws IOException {
    DirectoryTree.delete(directory(experiment));
  }

  private Path directory(ExperimentId experiment) {
    return AttemptLayout.experiment(home, experiment).resolve("hybrid");
  }

  private Path file(AttemptRef attempt) {
    return directory(attempt.trial().experiment())
        .resolve(attempt.trial().trial() + "." + attempt.number() + ".json");
  }

  private static <T> @Nullable T read(Path file, Class<T> type) throws IOException {
    try {
      return Json.read(Files.readString(file), type);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
