package io.orrery.orchestrator.platform;

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
 * What must be known of jobs elsewhere after a restart and neither their cluster nor a keeper can
 * tell: how an experiment was set up, which jobs were asked for, and those ends that no keeper has
 * told.
 */
public final class JobFiles {
  private final Path home;
  private final String folder;

  /**
   * @param home the server's home directory
   * @param folder that of these files within an experiment's
   */
  public JobFiles(Path home, String folder) {
    this.home = home;
    this.folder = folder;
  }

  /**
   * A job that was asked for.
   *
   * @param id the service's own name of it; null while nobody knows whether the service has it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Order(@Nullable String id) {}

  /**
   * An end that no keeper told.
   *
   * @param ran whether it had started
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record End(boolean ran, @Nullable Integer exitCode, Instant at, @Nullable String reason) {}

  /** Keeps what an experiment was prepared with. */
  public void prepared(ExperimentId experiment, ExperimentSpec spec) throws IOException {
    Path file = experiment(experiment).resolve("experiment.json");
    String text = Json.write(spec);
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      write(file, text);
    }
  }

  /** What an experiment was prepared with; null when it was not. */
  public @Nullable ExperimentSpec prepared(ExperimentId experiment) throws IOException {
    return read(experiment(experiment).resolve("experiment.json"), ExperimentSpec.class);
  }

  public void ended(AttemptRef attempt, End end) throws IOException {
    write(file(attempt), Json.write(end));
  }

  /** The end that was kept; null when there is none. */
  public @Nullable End ended(AttemptRef attempt) throws IOException {
    return read(file(attempt), End.class);
  }

  /** An attempt's job is about to be asked for, or has been. */
  public void ordered(AttemptRef attempt, Order order) throws IOException {
    write(order(attempt), Json.write(order));
  }

  /** What was asked for; null when nothing was. */
  public @Nullable Order ordered(AttemptRef attempt) throws IOException {
    return read(order(attempt), Order.class);
  }

  /** The service has no job of this attempt, and will not have one. */
  public void forget(AttemptRef attempt) throws IOException {
    Files.deleteIfExists(order(attempt));
  }

  private Path experiment(ExperimentId experiment) {
    return AttemptLayout.experiment(home, experiment).resolve(folder);
  }

  private Path file(AttemptRef attempt) {
    return named(attempt, ".json");
  }

  private Path order(AttemptRef attempt) {
    return named(attempt, ".order.json");
  }

  private Path named(AttemptRef attempt, String suffix) {
    return experiment(attempt.trial().experiment())
        .resolve(attempt.trial().trial() + "." + attempt.number() + suffix);
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
