package io.orrery.compute.attempt;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.StoredJob;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.JsonFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records that a platform needs after a restart, in a folder of each experiment's directory:
 * the setup of the experiment, and its attempts. They are durable when written.
 */
public final class AttemptRecords {
  private static final String SUFFIX = ".json";
  private static final String STEP = ".step";

  private final Path home;
  private final String folder;

  /**
   * @param home the server's home directory
   * @param folder that of these files within an experiment's
   */
  public AttemptRecords(Path home, String folder) {
    this.home = home.toAbsolutePath().normalize();
    this.folder = folder;
  }

  /** Keeps what an experiment was prepared with. */
  public void prepared(ExperimentId experiment, JobSpec job) throws IOException {
    JsonFile.write(specification(experiment), new StoredJob(job));
  }

  /** What an experiment was prepared with; null when it was not. */
  public @Nullable JobSpec prepared(ExperimentId experiment) throws IOException {
    return job(JsonFile.read(specification(experiment), StoredJob.class));
  }

  /** Keeps the job of an attempt of a step, which differs from that of other steps. */
  public void prepared(AttemptRef attempt, JobSpec job) throws IOException {
    write(attempt, STEP, new StoredJob(job));
  }

  /** The preparation of an attempt: that of its experiment, or its own; null for neither. */
  public @Nullable JobSpec prepared(AttemptRef attempt) throws IOException {
    ExperimentId experiment = attempt.trial().experiment();
    return experiment.isOfRun() ? job(read(attempt, STEP, StoredJob.class)) : prepared(experiment);
  }

  private static @Nullable JobSpec job(@Nullable StoredJob stored) {
    return stored == null ? null : stored.job();
  }

  /** The job that an experiment was prepared with; those of a run's steps. */
  public List<JobSpec> allPrepared(ExperimentId experiment) throws IOException {
    if (experiment.isOfRun()) {
      return all(experiment, STEP, StoredJob.class).stream().map(StoredJob::job).toList();
    }
    JobSpec only = prepared(experiment);
    return only == null ? List.of() : List.of(only);
  }

  /**
   * Keeps a record of an attempt.
   *
   * @param kind which of its records; empty for a platform that keeps one
   */
  public void write(AttemptRef attempt, String kind, Object record) throws IOException {
    JsonFile.write(file(attempt, kind), record);
  }

  /**
   * Keeps a record of an attempt unless there is one.
   *
   * @return whether it is this one: of several servers that try, one has it so
   */
  public boolean create(AttemptRef attempt, String kind, Object record) throws IOException {
    return JsonFile.create(file(attempt, kind), record);
  }

  /** A record of an attempt; null when there is none. */
  public <T> @Nullable T read(AttemptRef attempt, String kind, Class<T> type) throws IOException {
    return JsonFile.read(file(attempt, kind), type);
  }

  /** Reads all records of a kind that an experiment has, in the order of their files' names. */
  public <T> List<T> all(ExperimentId experiment, String kind, Class<T> type) throws IOException {
    Path directory = directory(experiment);
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*" + kind + SUFFIX)) {
      found.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    files.sort(null);
    List<T> records = new ArrayList<>();
    for (Path file : files) {
      T record = JsonFile.read(file, type);
      if (record != null) {
        records.add(record);
      }
    }
    return List.copyOf(records);
  }

  public void delete(AttemptRef attempt, String kind) throws IOException {
    Files.deleteIfExists(file(attempt, kind));
  }

  /** Removes all that is known of an experiment. */
  public void cleanUp(ExperimentId experiment) throws IOException {
    DirectoryTree.delete(directory(experiment));
  }

  private Path directory(ExperimentId experiment) {
    return AttemptLayout.experiment(home, experiment).resolve(folder);
  }

  private Path specification(ExperimentId experiment) {
    return directory(experiment).resolve("experiment.json");
  }

  private Path file(AttemptRef attempt, String kind) {
    return directory(attempt.trial().experiment())
        .resolve(attempt.trial().trial() + "." + attempt.number() + kind + SUFFIX);
  }
}
