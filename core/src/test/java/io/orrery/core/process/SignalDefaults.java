package io.orrery.core.process;

import java.util.ArrayList;
import java.util.List;

/**
 * A command prefix that gives a child process the default action of every signal. A process
 * inherits the signals that its parent ignores, and a shell cannot reset them (POSIX, {@code
 * trap}): under {@code nohup}, or started with {@code &} by a script, a test's child would
 * otherwise ignore HUP, INT and QUIT.
 */
public final class SignalDefaults {
  private static final String PROGRAM =
      """
      import os, signal, sys
      for number in signal.valid_signals():
          if number not in (signal.SIGKILL, signal.SIGSTOP):
              try:
                  signal.signal(number, signal.SIG_DFL)
              except OSError:
                  pass
      os.execvp(sys.argv[1], sys.argv[1:])
      """;

  private SignalDefaults() {}

  /** The command, run with the default action of every signal; its process id stays the same. */
  public static List<String> with(List<String> command) {
    List<String> prefixed = new ArrayList<>(List.of("python3", "-c", PROGRAM));
    prefixed.addAll(command);
    return prefixed;
  }
}
