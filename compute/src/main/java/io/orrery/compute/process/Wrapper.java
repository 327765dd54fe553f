package io.orrery.compute.process;

import io.orrery.core.file.DurableFile;
import io.orrery.core.process.Umask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shell script that runs a program, and tells its end even when no server is there to see. It
 * claims the run first, see {@link LaunchClaims}, so that of several wrappers one runs the program.
 */
public final class Wrapper {
  private static final String SCRIPT = "wrapper.sh";

  private final Path target;
  private final List<String> interpreter;
  private @Nullable Path script;

  /**
   * @param target the file that the script is written to
   * @param interpreter the program that runs it, with its first arguments: {@code sh}
   */
  public Wrapper(Path target, List<String> interpreter) {
    this.target = target;
    this.interpreter = List.copyOf(interpreter);
  }

  /**
   * The program and the arguments that run a program.
   *
   * @param directory of the run, which exists
   * @param number of the launch: that of the {@link LaunchClaims.Free} that was seen
   */
  public List<String> line(Path directory, int number, List<String> program) throws IOException {
    List<String> line = new ArrayList<>(interpreter);
    line.addAll(
        List.of(
            script().toString(),
            directory.toString(),
            Integer.toString(number),
            Processes.BOOT,
            "%04o".formatted(Umask.inherited())));
    line.addAll(program);
    return line;
  }

  /** The script; replaced as a file, never in place, since shells read as they go. */
  private synchronized Path script() throws IOException {
    if (script == null) {
      Path parent = Objects.requireNonNull(target.getParent());
      Files.createDirectories(parent);
      try (InputStream resource =
          Objects.requireNonNull(Wrapper.class.getResourceAsStream(SCRIPT), SCRIPT)) {
        DurableFile.replace(target, resource.readAllBytes());
      }
      script = target;
    }
    return script;
  }
}
