package io.orrery.compute.local;

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
  /** Words in which no shell sees anything but themselves. */
  private static final Pattern PLAIN =
      Pattern.compile("\\s*[A-Za-z0-9_./+-]+([ \\t]+[A-Za-z0-9_./:=@%+,-]+)*\\s*");

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** The builtins and reserved words of bash and dash: names of no program. */
  private static final Set<String> OWN_TO_SHELLS =
      Set.of(
          (". alias bg bind break builtin caller case cd chdir command compgen complete compopt"
                  + " continue coproc declare dirs disown do done echo elif else enable esac eval exec"
                  + " exit export false fc fg fi for function getopts hash help history if in jobs"
                  + " kill let local logout mapfile popd printf pushd pwd read readarray readonly"
                  + " return select set shift shopt source suspend test then time times trap true type"
                  + " typeset ulimit umask unalias unset until wait while")
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

  private static boolean needsShell(String command, Map<String, String> environment) {
    return !PLAIN.matcher(command).matches()
        || OWN_TO_SHELLS.contains(BLANKS.split(command.strip(), 2)[0])
        || isForShells(environment);
  }
}
