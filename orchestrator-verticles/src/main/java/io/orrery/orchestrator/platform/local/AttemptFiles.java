package io.orrery.orchestrator.platform.local;

import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.json.Json;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.gpu.GpuGrant;
import io.orrery.orchestrator.platform.AttemptLayout;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of an attempt.
 *
 * @param directory NNI_SYS_DIR and NNI_OUTPUT_DIR
 */
record AttemptFiles(Path directory) {
  private static final Pattern STATE = Pattern.compile("(\\d{1,3})\\s*\\n");

  private static final int SHORT = 1_024;

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
    Path draft = nni().resolve("gpus.new");
    Files.writeString(draft, Json.write(grant));
    Files.move(draft, gpus(), StandardCopyOption.ATOMIC_MOVE);
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

  /** When a file was changed last, to the millisecond; null when there is none. */
  static @Nullable FileTime changed(Path file) {
    long at = file.toFile().lastModified();
    return at == 0 ? null : FileTime.fromMillis(at);
  }

  /** The end that the wrapper wrote; null while it has not, or not to the end of the line. */
  @Nullable State state() throws IOException {
    Path file = nni().resolve("state");
    FileTime at = changed(file);
    if (at == null) {
      return null;
    }
    String text = shortText(file);
    Matcher state = STATE.matcher(text == null ? "" : text);
    return state.matches() ? new State(Integer.parseInt(state.group(1)), at.toMillis()) : null;
  }

  /**
   * Reads a file of a line or so; null when there is none. Without a channel, which for so little
   * costs more than the reading.
   */
  static @Nullable String shortText(Path file) throws IOException {
    if (!file.toFile().isFile()) {
      // Opening a FIFO would wait for a writer.
      return null;
    }
    try (InputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readNBytes(SHORT), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      if (Files.exists(file)) {
        throw e;
      }
      return null;
    }
  }

  /**
   * The end of the command.
   *
   * @param exitCode as the shell gives it: 128 + n after signal n
   * @param at milliseconds since the epoch
   */
  record State(int exitCode, long at) {}
}
