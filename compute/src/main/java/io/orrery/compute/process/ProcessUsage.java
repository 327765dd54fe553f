package io.orrery.compute.process;

import io.orrery.core.workload.Readings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The CPU time and the memory of processes together, from {@code /proc}.
 *
 * @param cpuSeconds since they began, with those of their children that have ended
 * @param memory in bytes; pages that several of them share count for each
 */
public record ProcessUsage(double cpuSeconds, long memory) {
  /** The unit of {@code /proc/PID/stat}, which is the same on all machines that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final String RESIDENT = "VmRSS:";
  private static final String PROPORTIONAL = "Pss:";

  /** The use of some processes; those that have ended count for nothing. */
  public static ProcessUsage of(Collection<Long> pids) {
    long ticks = 0;
    long memory = 0;
    for (long pid : pids) {
      Path process = Path.of("/proc", Long.toString(pid));
      try {
        ticks += ticks(read(process.resolve("stat")));
        memory += kibibytes(read(process.resolve("status")), RESIDENT);
      } catch (IOException | IndexOutOfBoundsException ended) {
        // It has ended meanwhile.
      }
    }
    return new ProcessUsage(ticks / TICKS_PER_SECOND, memory);
  }

  /**
   * The memory of some processes in bytes, of which pages that they share count once. Where the
   * system does not tell, they count for each. Takes long for large processes.
   */
  public static long proportional(Collection<Long> pids) {
    long memory = 0;
    for (long pid : pids) {
      Path process = Path.of("/proc", Long.toString(pid));
      try {
        memory += kibibytes(read(process.resolve("smaps_rollup")), PROPORTIONAL);
      } catch (IOException notTold) {
        memory += of(List.of(pid)).memory();
      }
    }
    return memory;
  }

  /** The same by its names: memory as a level, CPU time as a total. */
  public Readings readings() {
    return new Readings(Map.of(Readings.MEMORY, (double) memory), Map.of(Readings.CPU, cpuSeconds));
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** The times in user and system mode, its own and those of its children that have ended. */
  private static long ticks(String stat) {
    // The second field is the program's name, in parentheses, and may hold anything.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long sum = 0;
    for (int field = 11; field < 15; field++) {
      sum += Long.parseLong(fields[field]);
    }
    return sum;
  }

  private static long kibibytes(String text, String word) {
    int at = text.indexOf(word);
    if (at < 0) {
      return 0;
    }
    String line = text.substring(at + word.length(), text.indexOf('\n', at));
    return Long.parseLong(line.replace("kB", "").strip()) << 10;
  }
}
