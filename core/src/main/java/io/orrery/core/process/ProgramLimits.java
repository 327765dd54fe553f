package io.orrery.core.process;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits of a program of a person on the server's machine. Those that the kernel knows are set
 * before the program starts; who supervises it measures the rest, and ends it.
 *
 * @param tasks processes and threads that all of the program may be at once
 * @param openFiles files that each of its processes may have open
 * @param bytes of the directories that it may change, together; and of each file that it writes
 */
public record ProgramLimits(int tasks, int openFiles, long bytes) {
  /** Nothing is limited. */
  public static final ProgramLimits NONE =
      new ProgramLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);

  private static final int BLOCK = 512;

  /**
   * Sets the limits of open files and of a file, and that of tasks where it counts the tasks of the
   * sandbox alone: in a user name space of its own. Anywhere else the kernel counts all programs of
   * the server's user. A limit that is lower already stays.
   */
  private static final String SCRIPT =
      "ulimit -n \"$1\" 2>/dev/null; ulimit -f \"$2\" 2>/dev/null;"
          + " if [ \"$3\" != 0 ] && read -r _one _two _all </proc/self/uid_map"
          + " && [ \"$_all\" != 4294967295 ];"
          + " then ulimit -u \"$3\" 2>/dev/null || ulimit -p \"$3\" 2>/dev/null; fi;"
          + " shift 3; exec \"$@\"";

  public ProgramLimits {
    if (tasks < 1 || openFiles < 1 || bytes < 1) {
      throw new IllegalArgumentException("less than 1: " + tasks + ", " + openFiles + ", " + bytes);
    }
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /**
   * The words that run a program with the limits of the kernel.
   *
   * @param apart whether it runs in a sandbox
   */
  List<String> line(List<String> program, boolean apart) {
    if (isNone()) {
      return program;
    }
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "orrery-limits"));
    line.add(Integer.toString(openFiles));
    line.add(Long.toString(Math.max(1, bytes / BLOCK)));
    // Higher than what ends the program, so that it ends with the reason.
    line.add(apart ? Long.toString(tasks + tasks / 4 + 16L) : "0");
    line.addAll(program);
    return line;
  }

  /** The reason to end a program; empty when it has no more tasks than it may have. */
  public String excessTasks(long has) {
    return has <= tasks
        ? ""
        : "it was ended because it had %,d processes and threads, more than the %,d of auth.programProcesses"
            .formatted(has, tasks);
  }

  /** The reason to end a program; empty when its directories have no more than they may have. */
  public String excessBytes(long has) {
    return has <= bytes
        ? ""
        : "it was ended because the files that it can write have more than the %,d bytes of workspaces.megabytes"
            .formatted(bytes);
  }
}
