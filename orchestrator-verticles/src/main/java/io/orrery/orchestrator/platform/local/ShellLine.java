package io.orrery.orchestrator.platform.local;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The words of the program that runs a trial's command: a shell, or the command itself where a
 * shell would only take it apart at its blanks, look its first word up on the path and become it.
 * To start a program costs a millisecond; {@code make} spares the shell for the same reason.
 */
final class ShellLine {
  /** What no shell sees anything in but itself, in words; the first word may be less. */
  private static final String PLAIN_MARKS = "_./+-:=@%,";

  private static final int PLAIN_MARKS_OF_FIRST = "_./+-".length();
  private static final String SPACES = " \t\n\u000B\f\r";

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** What bash or dash does itself and what it reads as its own grammar: names of no program. */
  private static final Set<String> OWN_TO_SHELLS =
      Set.of(
          ("."
                  + " alias bg bind break builtin caller case cd chdir command compgen complete"
                  + " compopt continue coproc declare dirs disown do done echo elif else enable"
                  + " esac eval exec exit export false fc fg fi for function getopts hash help"
                  + " history if in jobs kill let local logout mapfile popd printf pushd pwd read"
                  + " readarray readonly return select set shift shopt source suspend test then"
                  + " time times trap true type typeset ulimit umask unalias unset until wait while")
              .split(" "));

  private ShellLine() {}

  /**
   * @param shell that a command needs which is more than plain words
   * @param environment of the command; it may hold functions for the shell, or a file that the
   *     shell is to read first
   */
  static List<String> of(String shell, String command, Map<String, String> environment) {
    return needsShell(command, environment)
        ? List.of(shell, "-c", command)
        : List.of(BLANKS.split(command.strip()));
  }

  private static boolean isForShells(Map<String, String> environment) {
    for (String name : environment.keySet()) {
      if (name.equals("BASH_ENV") || name.startsWith("BASH_FUNC_")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPlain(String command) {
    int from = 0;
    int end = command.length();
    while (from < end && SPACES.indexOf(command.charAt(from)) >= 0) {
      from++;
    }
    while (end > from && SPACES.indexOf(command.charAt(end - 1)) >= 0) {
      end--;
    }
    boolean first = true;
    for (int i = from; i < end; i++) {
      char c = command.charAt(i);
      if (c == ' ' || c == '\t') {
        first = false;
      } else if (!isPlain(c, first)) {
        return false;
      }
    }
    return from < end;
  }

  private static boolean isPlain(char c, boolean inFirst) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
      return true;
    }
    int mark = PLAIN_MARKS.indexOf(c);
    return mark >= 0 && (!inFirst || mark < PLAIN_MARKS_OF_FIRST);
  }

  private static boolean needsShell(String command, Map<String, String> environment) {
    return !isPlain(command)
        || OWN_TO_SHELLS.contains(BLANKS.split(command.strip(), 2)[0])
        || isForShells(environment);
  }
}
