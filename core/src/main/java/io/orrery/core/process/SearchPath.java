package io.orrery.core.process;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The directories in which programs are found by their name, as {@code PATH} has them.
 *
 * @param text directories, separated by colons; only absolute ones count, since others mean
 *     something else in each process
 */
public record SearchPath(String text) {
  private static final String USUAL = "/usr/bin:/bin";

  /** That of an environment; the usual one when it has none. */
  public static SearchPath of(Map<String, String> environment) {
    return new SearchPath(environment.getOrDefault("PATH", USUAL));
  }

  /** The first program of a name. Reads the disk. */
  public Optional<Path> find(String program) {
    return Arrays.stream(text.split(":"))
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> in(directory, program))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Path> in(String directory, String program) {
    @Nullable Path file;
    try {
      file = Path.of(directory, program);
    } catch (InvalidPathException noPath) {
      return Optional.empty();
    }
    return Files.isExecutable(file) && !Files.isDirectory(file)
        ? Optional.of(file)
        : Optional.empty();
  }
}
