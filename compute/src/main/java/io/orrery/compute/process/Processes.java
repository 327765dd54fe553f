package io.orrery.compute.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine's processes, from {@code /proc}. Those that are over and only wait to be reaped do
 * not count: in a container there may be no process that reaps them.
 */
public final class Processes {
  /** The value for {@link #BOOT} where the system tells none. */
  public static final String NO_BOOT = "-";

  private static final Path PROC = Path.of("/proc");

  /** A name that no other start of any machine has; process numbers and start times begin anew. */
  public static final String BOOT = boot();

  private Processes() {}

  /**
   * A process.
   *
   * @param startTime with the pid it names one process, whatever numbers are used again
   * @param parent the process that has started it, or that has adopted it since
   * @param threads that it has
   * @param mark the value that it was started with of the variable that was asked for; null when it
   *     has none, or is not ours to look into
   */
  public record Found(
      long pid,
      long startTime,
      long group,
      long session,
      long parent,
      int threads,
      @Nullable String mark) {
    private Found marked(@Nullable String value) {
      return new Found(pid, startTime, group, session, parent, threads, value);
    }

    /** Sends a signal, unless the number belongs to another process by now. */
    public void signal(int signal) {
      if (isAlive(pid, startTime)) {
        ProcessSignals.toProcess(pid, signal);
      }
    }
  }

  /** Whether this very process lives. */
  public static boolean isAlive(long pid, long startTime) {
    Found found = stat(pid);
    return found != null && found.startTime() == startTime;
  }

  /** When a process was started, in clock ticks since the machine's start; 0 when it is over. */
  public static long startTime(long pid) {
    Found found = stat(pid);
    return found == null ? 0 : found.startTime();
  }

  private static String boot() {
    try {
      return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return NO_BOOT;
    }
  }

  /** All that live now, but this one; takes one to three milliseconds. */
  public static List<Found> all(String variable) throws IOException {
    long own = ProcessHandle.current().pid();
    List<Found> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        long pid = Long.parseLong(entry.getFileName().toString());
        Found found = pid == own ? null : stat(pid);
        if (found != null) {
          all.add(found.marked(mark(entry, variable)));
        }
      }
    }
    return all;
  }

  /**
   * A process and its descendants, without those whose parents have ended; without a listing of all
   * processes where Linux tells children ({@code CONFIG_PROC_CHILDREN}).
   */
  public static List<Long> tree(long pid) {
    List<Long> all = new ArrayList<>(List.of(pid));
    if (!Files.exists(PROC.resolve("self/task/" + ProcessHandle.current().pid() + "/children"))) {
      ProcessHandle.of(pid).ifPresent(root -> root.descendants().forEach(p -> all.add(p.pid())));
      return all;
    }
    for (int i = 0; i < all.size(); i++) {
      try (DirectoryStream<Path> tasks =
          Files.newDirectoryStream(PROC.resolve(all.get(i) + "/task"))) {
        for (Path task : tasks) {
          for (String child : Files.readString(task.resolve("children")).split(" ")) {
            if (!child.isBlank()) {
              all.add(Long.parseLong(child.strip()));
            }
          }
        }
      } catch (IOException | DirectoryIteratorException gone) {
        // It has ended meanwhile.
      }
    }
    return all;
  }

  private static @Nullable Found stat(long pid) {
    try {
      String text = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
      // The second field is the program's name, in parentheses, and may hold anything.
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
      boolean over = fields[0].equals("Z") || fields[0].equals("X");
      return over
          ? null
          : new Found(
              pid,
              Long.parseLong(fields[19]),
              Long.parseLong(fields[2]),
              Long.parseLong(fields[3]),
              Long.parseLong(fields[1]),
              Integer.parseInt(fields[17]),
              null);
    } catch (IOException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static @Nullable String mark(Path entry, String variable) {
    try {
      String environment =
          "\0" + Files.readString(entry.resolve("environ"), StandardCharsets.ISO_8859_1);
      String key = "\0" + variable + "=";
      int at = environment.indexOf(key);
      if (at < 0) {
        return null;
      }
      int end = environment.indexOf('\0', at + key.length());
      return environment.substring(at + key.length(), end < 0 ? environment.length() : end);
    } catch (IOException e) {
      return null;
    }
  }
}
