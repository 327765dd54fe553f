package io.orrery.compute.remote;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.compute.attempt.AttemptRecords;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.file.DurableFile;
import io.orrery.core.file.JsonFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record on the disk of what must be known of remote attempts after a restart, by whichever
 * server then owns them: how their experiment was set up, where each one is, and how it ended. And
 * what is each server's alone: its name, and by which port of a machine it was reached last.
 */
final class RemoteFiles {
  private static final int ID_BYTES = 8;

  private static final String PLACE = "";

  private final Path shared;
  private final Path own;
  private final AttemptRecords records;

  /**
   * @param home the directory that all servers see which may own the same attempts
   * @param own what is this server's alone; may be the same
   */
  RemoteFiles(Path home, Path own) {
    this.shared = home.toAbsolutePath().normalize().resolve("remote");
    this.own = own.toAbsolutePath().normalize().resolve("remote");
    this.records = new AttemptRecords(home, "remote");
  }

  /**
   * The machine of an attempt, and its end.
   *
   * @param machine its name
   * @param grant the GPUs that it was given; null when it was given none
   * @param end null while it goes on
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Place(String machine, @Nullable GpuGrant grant, @Nullable End end) {}

  /**
   * The end of an attempt.
   *
   * @param startedAt null when it never started
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record End(
      @Nullable Instant startedAt,
      @Nullable Integer exitCode,
      Instant at,
      @Nullable String reason) {}

  /** Names those that share their work, among all that use an account of a machine. */
  String group() {
    return id(shared);
  }

  /** Names this server among them. */
  String server() {
    return id(own);
  }

  private static String id(Path directory) {
    Path file = directory.resolve("id");
    try {
      if (!Files.exists(file)) {
        byte[] fresh = new byte[ID_BYTES];
        new SecureRandom().nextBytes(fresh);
        Files.createDirectories(directory);
        DurableFile.create(
            file, HexFormat.of().formatHex(fresh).getBytes(StandardCharsets.US_ASCII));
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where host keys are kept that were trusted on first use. */
  Path knownHosts() {
    return shared.resolve("known_hosts");
  }

  /** The port of a machine that leads here; 0 when there has been none. */
  int port(Login login) {
    Integer known = onDisk(() -> JsonFile.read(portFile(login), Integer.class));
    return known == null ? 0 : known;
  }

  void port(Login login, int port) {
    change(() -> JsonFile.write(portFile(login), port));
  }

  private Path portFile(Login login) {
    return own.resolve("ports").resolve(login.key());
  }

  /** Keeps what an experiment was prepared with. */
  void prepared(ExperimentId experiment, JobSpec job) {
    change(() -> records.prepared(experiment, job));
  }

  /** What an experiment was prepared with; null when it was not. */
  @Nullable JobSpec prepared(ExperimentId experiment) {
    return onDisk(() -> records.prepared(experiment));
  }

  /** Keeps the job of an attempt of a step. */
  void prepared(AttemptRef attempt, JobSpec job) {
    change(() -> records.prepared(attempt, job));
  }

  /** The preparation of an attempt: that of its experiment, or its own; null for neither. */
  @Nullable JobSpec prepared(AttemptRef attempt) {
    return onDisk(() -> records.prepared(attempt));
  }

  /** The job that an experiment was prepared with; those of a run's steps. */
  List<JobSpec> allPrepared(ExperimentId experiment) {
    List<JobSpec> all = onDisk(() -> records.allPrepared(experiment));
    return all == null ? List.of() : all;
  }

  /** Where an attempt is; null when it has had no place. */
  @Nullable Place place(AttemptRef attempt) {
    return onDisk(() -> records.read(attempt, PLACE, Place.class));
  }

  void place(AttemptRef attempt, Place place) {
    change(() -> records.write(attempt, PLACE, place));
  }

  /**
   * Gives an attempt its place, unless it has one.
   *
   * @return the place that it has
   */
  Place take(AttemptRef attempt, Place wanted) {
    Place before =
        onDisk(() ->
            records.create(attempt, PLACE, wanted)
                ? null
                : records.read(attempt, PLACE, Place.class));
    return before == null ? wanted : before;
  }

  /** An attempt has no place any more. */
  void forget(AttemptRef attempt) {
    change(() -> records.delete(attempt, PLACE));
  }

  private interface Look<T> {
    @Nullable T look() throws IOException;
  }

  private interface Change {
    void make() throws IOException;
  }

  private static <T> @Nullable T onDisk(Look<T> look) {
    try {
      return look.look();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void change(Change change) {
    try {
      change.make();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
