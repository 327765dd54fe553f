package io.orrery.gateway.tensorboard;

import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A program of a Python package, as pip installs it: a script whose first line names its Python.
 */
final class PythonScript {
  /** More than the kernel reads of a first line, and as much as an installer writes of two. */
  private static final int MOST_BYTES = 4096;

  /** A second line in the place of a first one that would be too long for the kernel. */
  private static final String RUN_BY_SH = "'''exec' ";

  private PythonScript() {}

  /**
   * The words that run the Python of a script, which may be that of a virtual environment. Reads
   * the disk.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when it names none
   */
  static List<String> interpreter(Path script) throws IOException {
    String text;
    try (InputStream in = Files.newInputStream(script)) {
      text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    }
    List<String> lines = text.lines().limit(2).toList();
    String first = lines.isEmpty() ? "" : lines.getFirst();
    if (lines.size() == 2 && lines.get(1).startsWith(RUN_BY_SH)) {
      String rest = lines.get(1).substring(RUN_BY_SH.length());
      int end = rest.indexOf(" \"$0\"");
      if (end > 0) {
        return List.of(rest.substring(0, end).replace("\"", ""));
      }
    }
    if (first.startsWith("#!") && first.contains("python")) {
      return Arrays.asList(first.substring(2).strip().split("\\s+"));
    }
    throw new Problem.Conflict(
            ("%s is no script of Python. A server with tokens or users starts TensorBoard by its"
                    + " Python, below a secret path: pip install tensorboard")
                .formatted(script))
        .toException();
  }
}
