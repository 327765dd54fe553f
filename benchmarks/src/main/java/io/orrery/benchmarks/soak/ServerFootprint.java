package io.orrery.benchmarks.soak;

import io.orrery.benchmarks.report.Resident;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A look at a server process, as Linux and its JVM tell it.
 *
 * @param heapMb megabytes in use right after a collection
 * @param residentMb megabytes of resident memory
 */
record ServerFootprint(double heapMb, double residentMb, int threads, int files) {
  private static final Pattern USED = Pattern.compile("^\\s*(?:DefNew|Tenured)\\b.* used (\\d+)K");

  /** Collects the garbage of a process and looks at it. */
  static ServerFootprint of(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    double heap = 0;
    for (String line : jcmd(pid, "GC.heap_info").lines().toList()) {
      Matcher used = USED.matcher(line);
      if (used.find()) {
        heap += Long.parseLong(used.group(1)) / 1024.0;
      }
    }
    if (heap == 0) {
      throw new IOException("jcmd GC.heap_info tells no generation of the serial collector");
    }
    return new ServerFootprint(
        heap, Resident.megabytes(pid), entries(pid, "task"), entries(pid, "fd"));
  }

  private static int entries(long pid, String directory) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/" + directory))) {
      return (int) all.count();
    }
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("jcmd " + command + ": " + said);
    }
    return said;
  }

  /** The least of several looks: what is under way at one of them is not there at all. */
  static double least(List<ServerFootprint> looks, ToDoubleFunction<ServerFootprint> number) {
    return looks.stream().mapToDouble(number).min().orElseThrow();
  }
}
