package io.orrery.compute.reuse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.StoredJob;
import io.orrery.core.file.JsonFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record on the disk of the environments, and of their tenants: what the next server must know.
 * One file for each, within its experiment.
 */
final class EnvironmentRegistry {
  private static final String SUFFIX = ".json";

  private final Path home;

  EnvironmentRegistry(Path home) {
    this.home = home;
  }

  /**
   * An environment as it is written down.
   *
   * @param spec the job of its experiment
   * @param tenants the attempts that were given to it and have not ended
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Entry(StoredJob spec, List<Tenant> tenants) {
    Entry {
      tenants = List.copyOf(tenants);
    }

    JobSpec job() {
      return spec.job();
    }
  }

  /**
   * A trial in an environment.
   *
   * @param gpus that it is shown
   */
  record Tenant(TrialId trial, int attempt, List<Integer> gpus) {
    Tenant {
      gpus = List.copyOf(gpus);
    }

    AttemptRef in(ExperimentId experiment) {
      return new AttemptRef(new TrialRef(experiment, trial), attempt);
    }
  }

  /** Durable when it returns. */
  void write(AttemptRef environment, Entry entry) throws IOException {
    JsonFile.write(file(environment), entry);
  }

  void remove(AttemptRef environment) throws IOException {
    Files.deleteIfExists(file(environment));
  }

  /** What is written down of an environment; null when it has just been removed. */
  @Nullable Entry read(AttemptRef environment) throws IOException {
    try {
      return Json.read(Files.readString(file(environment)), Entry.class);
    } catch (NoSuchFileException removed) {
      return null;
    }
  }

  /** Whether an experiment has, or had, environments. */
  boolean knows(ExperimentId experiment) {
    return Files.isDirectory(folder(experiment));
  }

  /** The environments of an experiment that are not known to have ended. */
  List<AttemptRef> of(ExperimentId experiment) throws IOException {
    Path folder = folder(experiment);
    List<AttemptRef> all = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(SUFFIX))
            .map(name -> name.substring(0, name.length() - SUFFIX.length()))
            .filter(TrialId::valid)
            .sorted()
            .forEach(
                name -> all.add(new AttemptRef(new TrialRef(experiment, new TrialId(name)), 1)));
      }
    }
    return all;
  }

  private Path file(AttemptRef environment) {
    return folder(environment.trial().experiment())
        .resolve(environment.trial().trial().value() + SUFFIX);
  }

  private Path folder(ExperimentId experiment) {
    return AttemptLayout.experiment(home, experiment).resolve("environments");
  }
}
