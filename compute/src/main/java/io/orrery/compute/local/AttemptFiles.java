package io.orrery.compute.local;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.process.LaunchClaims;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.compute.process.WrapperDirectory.State;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.file.DurableFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of an attempt.
 *
 * @param directory NNI_SYS_DIR and NNI_OUTPUT_DIR
 */
record AttemptFiles(Path directory) {
  static AttemptFiles of(Path home, AttemptRef attempt) {
    return new AttemptFiles(AttemptLayout.attempt(home, attempt));
  }

  /** Makes its directories, where they are not there. */
  void make() throws IOException {
    // Two are missing, as a rule: this way neither costs an exception or a look at its parents.
    boolean _ = directory.toFile().mkdir();
    if (!nni().toFile().mkdir()) {
      Files.createDirectories(nni());
    }
  }

  /** The directory through which the wrapper and the server exchange files. */
  Path nni() {
    return directory.resolve(".nni");
  }

  Path metrics() {
    return nni().resolve("metrics");
  }

  /** There when the trial's TensorBoard files are to be read. */
  Path eventFilesWanted() {
    return nni().resolve("event-files");
  }

  Path parameters() {
    return directory.resolve("parameter.cfg");
  }

  /** The file of a further set of an attempt, by its index from 1; the name is NNI's. */
  Path parameters(int index) {
    return directory.resolve("parameter_" + index + ".cfg");
  }

  /** Which GPUs it was given; only there when it was given any. */
  Path gpus() {
    return nni().resolve("gpus");
  }

  /** Records what the attempt was given, before its wrapper starts. */
  void record(GpuGrant grant) throws IOException {
    DurableFile.replace(gpus(), Json.write(grant).getBytes(StandardCharsets.UTF_8));
  }

  /** The parameters of the attempt; null where they cannot be read. */
  @Nullable GpuGrant grant() throws IOException {
    try {
      return Json.read(Files.readString(gpus()), GpuGrant.class);
    } catch (NoSuchFileException | UncheckedIOException e) {
      return null;
    }
  }

  Path log(Stream stream) {
    return directory.resolve(AttemptLayout.file(stream));
  }

  /** How many bytes a file has; 0 when there is none. */
  static long size(Path file) {
    return file.toFile().length();
  }

  /** The end that the wrapper wrote; null while it has not, or not to the end of the line. */
  @Nullable State state() throws IOException {
    return run().state();
  }

  /** The claims of wrappers and servers on the attempt. */
  LaunchClaims claims() {
    return run().claims();
  }

  private WrapperDirectory run() {
    return new WrapperDirectory(nni());
  }
}
