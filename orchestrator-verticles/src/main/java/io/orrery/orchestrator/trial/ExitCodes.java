package io.orrery.orchestrator.trial;

import org.jspecify.annotations.Nullable;

/**
 * The exit codes of shells in words (POSIX.1-2024, Shell Command Language, 2.8.2): 126 and 127 are
 * the shell's own, 128 + n is a command that signal n ended.
 */
public final class ExitCodes {
  private static final int CANNOT_BE_RUN = 126;
  private static final int NOT_FOUND = 127;
  private static final int SIGNALS = 128;

  private ExitCodes() {}

  /** How a command ended: {@code its command ended with exit code 127 (command not found)}. */
  public static String sentence(int code) {
    String meaning = meaning(code);
    return "its command ended with exit code "
        + code
        + (meaning == null ? "" : " (" + meaning + ")");
  }

  /** The meaning of a code that has one in every program; null otherwise. */
  public static @Nullable String meaning(int code) {
    return switch (code) {
      case CANNOT_BE_RUN -> "the command is there and cannot be executed";
      case NOT_FOUND -> "command not found";
      default -> code > SIGNALS ? signal(code - SIGNALS) : null;
    };
  }

  /** The numbers of Linux on x86 and ARM. */
  private static @Nullable String signal(int number) {
    return switch (number) {
      case 1 -> "ended by SIGHUP";
      case 2 -> "ended by SIGINT";
      case 4 -> "ended by SIGILL: an instruction that this processor does not have";
      case 6 -> "ended by SIGABRT: it aborted itself";
      case 7 -> "ended by SIGBUS: a memory error, often a full /dev/shm";
      case 8 -> "ended by SIGFPE: an arithmetic error";
      case 9 -> "killed by SIGKILL, as the system does when memory runs out";
      case 11 -> "ended by SIGSEGV: it crashed";
      case 13 -> "ended by SIGPIPE";
      case 15 -> "ended by SIGTERM";
      case 24 -> "ended by SIGXCPU: its limit of CPU time";
      case 25 -> "ended by SIGXFSZ: its limit of file size";
      default -> number < 65 ? "ended by signal " + number : null;
    };
  }
}
