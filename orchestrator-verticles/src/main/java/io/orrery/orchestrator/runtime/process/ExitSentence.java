package io.orrery.orchestrator.runtime.process;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Words for the exit codes of programs, as the shell gives them: 128 + n after signal n. */
final class ExitSentence {
  private static final int SIGNALS = 128;

  private static final Map<Integer, String> NAMES =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9,
          "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM", 25, "SIGXFSZ");

  private ExitSentence() {}

  /**
   * A sentence without a full stop.
   *
   * @param code null when it is not known
   */
  static String of(@Nullable Integer code) {
    if (code == null) {
      return "its program ended, and its exit code is not known";
    }
    String signal = NAMES.get(code - SIGNALS);
    return signal == null
        ? "its program ended with exit code " + code
        : "its program ended with exit code %d (%s)".formatted(code, signal);
  }
}
