package io.orrery.compute.runtime.replica;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sentences, without a full stop, that say why a program has ended or is being restarted. */
final class EndReason {
  private static final int SIGNALS = 128;

  private static final Map<Integer, String> NAMES =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9,
          "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM", 25, "SIGXFSZ");

  private EndReason() {}

  /**
   * The reason when a program has ended by itself.
   *
   * @param code as the shell gives it: 128 + n after signal n; null when it is not known
   * @param note a further sentence; null for none
   * @param lines the last ones that it wrote
   */
  static String exit(@Nullable Integer code, @Nullable String note, List<String> lines) {
    String last = "";
    for (String line : lines) {
      last = line.isBlank() ? last : line;
    }
    String end = code == null && note != null ? note : exit(code);
    return end
        + (note == null || end.equals(note) ? "" : ": " + note)
        + (last.isEmpty() ? "" : "; its last line: " + last);
  }

  /**
   * The reason when a program was not ready in time.
   *
   * @param why it was not, by the last probe; null when it is not known
   */
  static String late(Duration deadline, @Nullable String why) {
    String time =
        deadline.toMillis() % 1000 == 0 ? deadline.toSeconds() + " s" : deadline.toMillis() + " ms";
    return "it was not ready within " + time + (why == null ? "" : ": " + why);
  }

  /**
   * The reason when another replica listens on the number that this one wants, too.
   *
   * @param why the program has ended
   */
  static String fixedPort(int number, String why) {
    return "it listens on %d instead of $PORT, so only one replica can run; use $PORT (%s)"
        .formatted(number, why);
  }

  /** The reason when the port that was given to a program belongs to another one. */
  static String stranger(int port) {
    return "port %d is used by another program; it is given another one".formatted(port);
  }

  private static String exit(@Nullable Integer code) {
    if (code == null) {
      return "its program ended, and its exit code is not known";
    }
    String signal = NAMES.get(code - SIGNALS);
    return signal == null
        ? "its program ended with exit code " + code
        : "its program ended with exit code %d (%s)".formatted(code, signal);
  }
}
