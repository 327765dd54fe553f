package io.orrery.compute.runtime.replica;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a replica, by which the next server finds it. Only the owner may read them.
 *
 * <pre>
 *   spec.json       the specification, sealed; a directory without it is no replica
 *   record.json     ports, and how many of its programs ended in a row
 *   gpus.json       the GPUs that it holds; not there for none
 *   drain           there when it is to end: until when, in milliseconds since the epoch
 *   work/           the directory of its program, when the specification names none
 *   run-1, run-2 …  one for each start of its program: the log, ready (its endpoints, once it was
 *                   ready), and what the machine keeps of it. The last two are kept
 * </pre>
 *
 * @param synced whether files have to be on the disk at once: the programs may outlive a crash of
 *     the machine, and not only one of the server
 */
record ReplicaFiles(Path directory, boolean synced) {
  private static final String RUN = "run-";
  private static final String GPUS = "gpus.json";

  /**
   * Facts of a replica that outlive its programs.
   *
   * @param ports the port that it is given, by the name of the specification's
   * @param failures ends of its programs in a row
   */
  record Facts(Map<String, Integer> ports, int failures) {
    static final Facts NONE = new Facts(Map.of(), 0);

    Facts {
      ports = Map.copyOf(ports);
    }
  }

  /** The endpoints of a program that was ready. */
  record Ready(Map<String, String> endpoints) {}

  /**
   * The files of a replica.
   *
   * @param root the directory of all workloads of its runtime
   */
  static ReplicaFiles of(Path root, ReplicaRef replica, boolean synced) {
    return new ReplicaFiles(
        root.resolve(replica.workload().segment()).resolve(replica.id()), synced);
  }

  /** Makes a directory and those above it that only the owner may enter. */
  static void makePrivate(Path directory) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Writes the specification: from now on it is a replica.
   *
   * @param box seals it, because its environment has the secrets that a project gives its programs
   */
  void create(WorkloadSpec spec, SecretBox box) throws IOException {
    makePrivate(directory);
    write(directory.resolve("spec.json"), bytes(box.sealValue(Json.write(spec))));
  }

  /**
   * The specification; null when this is no replica, or its file is not what a server wrote.
   *
   * @throws IOException also when the key that opens it cannot be read now
   */
  @Nullable WorkloadSpec spec(SecretBox box) throws IOException {
    JsonNode stored = read(directory.resolve("spec.json"), JsonNode.class);
    if (stored == null) {
      return null;
    }
    try {
      // Those that a server of an earlier version has started are not sealed.
      String text = stored.isTextual() ? opened(stored.textValue(), box) : stored.toString();
      return Json.read(text, WorkloadSpec.class);
    } catch (ProblemException | UncheckedIOException unreadable) {
      return null;
    }
  }

  private static String opened(String sealed, SecretBox box) throws IOException {
    try {
      return box.open(sealed, "");
    } catch (UncheckedIOException withoutKey) {
      throw new IOException(withoutKey.getMessage(), withoutKey);
    }
  }

  Facts facts() throws IOException {
    Facts facts = read(directory.resolve("record.json"), Facts.class);
    return facts == null ? Facts.NONE : facts;
  }

  void record(Facts facts) throws IOException {
    write(directory.resolve("record.json"), bytes(facts));
  }

  /** Notes the GPUs that it holds until its files are deleted, before its program starts. */
  void recordGpus(GpuGrant grant) throws IOException {
    write(directory.resolve(GPUS), bytes(grant));
  }

  /** The GPUs that it holds; null for none. */
  @Nullable GpuGrant gpus() throws IOException {
    return read(directory.resolve(GPUS), GpuGrant.class);
  }

  /** Notes that it is to end, before it is asked to. */
  void recordDrain(Instant until) throws IOException {
    DurableFile.write(directory.resolve("drain"), bytes(until.toEpochMilli()));
  }

  /** The instant at which it is to be killed; null when it is not to end. */
  @Nullable Instant drain() throws IOException {
    Path file = directory.resolve("drain");
    if (!Files.exists(file)) {
      return null;
    }
    Long millis = read(file, Long.class);
    return millis == null ? Instant.EPOCH : Instant.ofEpochMilli(millis);
  }

  /** The directory of its program. */
  Path work() {
    return directory.resolve("work");
  }

  /** The number of the last start; 0 when there was none. */
  int lastRun() throws IOException {
    int last = 0;
    try (DirectoryStream<Path> runs = Files.newDirectoryStream(directory, RUN + "*")) {
      for (Path run : runs) {
        last = Math.max(last, number(run));
      }
    } catch (NoSuchFileException gone) {
      return 0;
    }
    return last;
  }

  private static int number(Path run) {
    try {
      return Integer.parseInt(run.getFileName().toString().substring(RUN.length()));
    } catch (NumberFormatException other) {
      return 0;
    }
  }

  /** The directory of a start. */
  Path run(int number) {
    return directory.resolve(RUN + number);
  }

  /** The log of a start. */
  ReplicaLog log(int number) {
    return new ReplicaLog(run(number));
  }

  /** Makes the directory of a start; those before the previous one go. */
  void makeRun(int number) throws IOException {
    makePrivate(run(number));
    if (number > 2) {
      DirectoryTree.delete(run(number - 2));
    }
  }

  /** Notes that the program of a start is ready, and where. */
  void recordReady(int number, Map<String, String> endpoints) throws IOException {
    write(run(number).resolve("ready"), bytes(new Ready(endpoints)));
  }

  /** Notes that the program of a start is not ready any more. */
  void forgetReady(int number) throws IOException {
    Files.deleteIfExists(run(number).resolve("ready"));
  }

  /** The endpoints of the program of a start, once it was ready; null before. */
  @Nullable Map<String, String> ready(int number) throws IOException {
    Ready ready = read(run(number).resolve("ready"), Ready.class);
    return ready == null ? null : ready.endpoints();
  }

  /** Deletes all; what is left of an interrupted deletion is no replica. */
  void delete() throws IOException {
    Files.deleteIfExists(directory.resolve("spec.json"));
    DirectoryTree.delete(directory);
  }

  private void write(Path file, byte[] content) throws IOException {
    if (synced) {
      DurableFile.write(file, content);
    } else {
      DurableFile.replace(file, content);
    }
  }

  private static byte[] bytes(Object value) {
    return Json.write(value).getBytes(StandardCharsets.UTF_8);
  }

  private static <T> @Nullable T read(Path file, Class<T> type) throws IOException {
    try {
      return Json.read(Files.readString(file), type);
    } catch (NoSuchFileException | UncheckedIOException missing) {
      return null;
    }
  }
}
