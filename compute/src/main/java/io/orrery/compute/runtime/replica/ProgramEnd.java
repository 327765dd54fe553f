package io.orrery.compute.runtime.replica;

import io.orrery.core.file.DurableFile;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a program whose container or pod is deleted, in the file {@code end} of its start.
 *
 * @param exitCode null when its keeper did not tell it
 */
public record ProgramEnd(@Nullable Integer exitCode) {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramEnd.class);
  private static final String FILE = "end";

  /**
   * Writes it; nothing happens when the directory is gone.
   *
   * @param run the directory of the start
   */
  public void write(Path run) throws IOException {
    try {
      DurableFile.write(run.resolve(FILE), Json.write(this).getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchFileException deleted) {
      LOG.trace("dropping an exit code, whose directory {} is gone", run);
    }
  }

  /** The exit code that was written; null when there is none. */
  public static @Nullable Integer exitCode(Path run) throws IOException {
    try {
      return Json.read(Files.readString(run.resolve(FILE)), ProgramEnd.class).exitCode();
    } catch (NoSuchFileException | UncheckedIOException none) {
      return null;
    }
  }
}
