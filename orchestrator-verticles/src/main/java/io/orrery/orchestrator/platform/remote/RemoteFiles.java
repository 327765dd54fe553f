package io.orrery.orchestrator.platform.remote;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.gpu.GpuGrant;
import io.orrery.orchestrator.platform.AttemptRecords;
import io.orrery.orchestrator.platform.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What the server must know of remote attempts after a restart: how their experiment was set up,
 * where each one is, and how it ended; and of machines, the port that attempts there know.
 */
final class RemoteFiles {
  private static final int ID_BYTES = 8;

  private static final String PLACE = "";

  private final Path home;
  private final AttemptRecords records;

  /**
   * @param home the server's home directory
   */
  RemoteFiles(Path home) {
    this.home = home.toAbsolutePath().normalize();
    this.records = new AttemptRecords(home, "remote");
  }

  /**
   * Where an attempt is, and what became of it.
   *
   * @param machine its name
   * @param grant the GPUs that it was given; null when it was given none
   * @param end null while it goes on
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Place(String machine, @Nullable GpuGrant grant, @Nullable End end) {}

  /**
   * @param startedAt null when it never started
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record End(
      @Nullable Instant startedAt,
      @Nullable Integer exitCode,
      Instant at,
      @Nullable String reason) {}

  /** Names this server among all that use an account of a machine. */
  synchronized String serverId() {
    Path file = home.resolve("remote").resolve("id");
    try {
      if (!Files.exists(file)) {
        byte[] fresh = new byte[ID_BYTES];
        new SecureRandom().nextBytes(fresh);
        DurableFile.write(
            file, HexFormat.of().formatHex(fresh).getBytes(StandardCharsets.US_ASCII));
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where host keys are kept that were trusted on first use. */
  Path knownHosts() {
    return home.resolve("remote").resolve("known_hosts");
  }

  /** The port of a machine that leads here; 0 when there has been none. */
  int port(Login login) {
    Integer known = onDisk(() -> DurableFile.readJson(portFile(login), Integer.class));
    return known == null ? 0 : known;
  }

  void port(Login login, int port) {
    change(() -> DurableFile.writeJson(portFile(login), port));
  }

  private Path portFile(Login login) {
    return home.resolve("remote").resolve("ports").resolve(login.key());
  }

  /** Keeps what an experiment was prepared with. */
  void prepared(ExperimentId experiment, ExperimentSpec spec) {
    change(() -> records.prepared(experiment, spec));
  }

  /** What an experiment was prepared with; null when it was not. */
  @Nullable ExperimentSpec prepared(ExperimentId experiment) {
    return onDisk(() -> records.prepared(experiment));
  }

  /** Where an attempt is; null when it has had no place. */
  @Nullable Place place(AttemptRef attempt) {
    return onDisk(() -> records.read(attempt, PLACE, Place.class));
  }

  void place(AttemptRef attempt, Place place) {
    change(() -> records.write(attempt, PLACE, place));
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
