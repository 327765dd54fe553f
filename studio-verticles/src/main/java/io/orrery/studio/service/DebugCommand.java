package io.orrery.studio.service;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The command of the stage {@code debug}: it does nothing, so that a shell beside it finds what the
 * program would, also where the program does not start.
 */
final class DebugCommand {
  /** The variable with the command in whose place it runs. */
  static final String VARIABLE = "ORRERY_COMMAND";

  private static final List<String> SHELL = List.of("/bin/sh", "-c");
  private static final List<String> IDLE =
      List.of("/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done");

  private DebugCommand() {}

  /** The words of the command. */
  static List<String> words() {
    return IDLE;
  }

  /** A command as a line for {@code /bin/sh}; empty for the one of the image. */
  static String line(List<String> command) {
    return command.size() == 3 && command.subList(0, 2).equals(SHELL)
        ? command.getLast()
        : command.stream().map(DebugCommand::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
