package io.orrery.gateway.launch;

import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file that configures the server.
 *
 * @param text null when there is no such file
 */
record ConfigurationFile(Path path, @Nullable String text) {
  /** Reads a file that was asked for; Refused when it cannot be read. */
  static ConfigurationFile read(Path path) {
    try {
      return new ConfigurationFile(path, Files.readString(path));
    } catch (IOException e) {
      throw new Problem.Refused(
              new Finding(
                  "", "the configuration " + path + " cannot be read: " + FileFault.words(e)))
          .toException();
    }
  }

  /** The same for a file that may be missing. */
  static ConfigurationFile find(Path path) {
    return Files.exists(path) ? read(path) : new ConfigurationFile(path, null);
  }

  /** Names the file and the line, as compilers do, where a reading of the text is refused. */
  <T> T placing(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (ProblemException e) {
      if (e.problem() instanceof Problem.Refused refused && !refused.findings().isEmpty()) {
        throw Problem.Refused.of(refused.findings().stream().map(this::placed).toList())
            .toException();
      }
      throw e;
    }
  }

  /** What has no line stood in the environment or in a flag, and says so itself. */
  private Finding placed(Finding finding) {
    String pointer = finding.pointer().isEmpty() ? "" : finding.pointer() + ": ";
    return finding.line() == null
        ? finding
        : new Finding("", path + ":" + finding.line() + ": " + pointer + finding.message());
  }
}
