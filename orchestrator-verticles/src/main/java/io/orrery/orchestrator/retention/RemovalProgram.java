package io.orrery.orchestrator.retention;

import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that removes files, such as {@code find}, with an environment of its own and a limit of
 * time. Blocks.
 */
public final class RemovalProgram {
  private static final int MOST_SAID = 500;

  /** Shorter than the time after which its thread counts as blocked. */
  private static final Duration LIMIT = Duration.ofMinutes(25);

  private final SearchPath programs;
  private final Duration limit;

  /** A program that has 25 minutes. */
  public RemovalProgram(SearchPath programs) {
    this(programs, LIMIT);
  }

  RemovalProgram(SearchPath programs, Duration limit) {
    this.programs = programs;
    this.limit = limit;
  }

  /**
   * The end of a program.
   *
   * @param said the beginning of what it wrote, without blanks around it
   */
  public record Ended(int code, String said) {}

  /**
   * Runs a command to its end. An interrupted thread leaves it alone: what goes on leaves less
   * behind than what is cut short.
   *
   * @param home the directory that it begins in, and that {@code HOME} names
   * @throws io.orrery.core.problem.ProblemException Broken when it takes longer than the limit; it
   *     is ended then, with the programs that it has started
   */
  public Ended run(List<String> command, Path home) throws IOException, InterruptedException {
    // A file holds what it writes, however much, and also when one of its children stays.
    Path said = Files.createTempFile("orrery-removal", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile());
      builder.environment().clear();
      builder
          .environment()
          .putAll(Map.of("PATH", programs.text(), "HOME", home.toString(), "LANG", "C.UTF-8"));
      Process process = builder.start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        throw new Problem.Broken(
                "the removal took longer than %d s and was ended".formatted(limit.toSeconds()))
            .toException();
      }
      return new Ended(process.exitValue(), beginning(said));
    } finally {
      Files.delete(said);
    }
  }

  private static String beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MOST_SAID), StandardCharsets.UTF_8).strip();
    }
  }
}
