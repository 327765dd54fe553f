package io.orrery.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for what a benchmark leaves behind; gone with it.
 *
 * @param path the folder, new and empty
 */
public record Scratch(Path path) implements AutoCloseable {
  /** Makes one where the JVM keeps temporary files. */
  public static Scratch create() throws IOException {
    return new Scratch(Files.createTempDirectory("orrery-benchmark-"));
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
