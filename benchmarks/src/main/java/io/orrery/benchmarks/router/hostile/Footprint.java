package io.orrery.benchmarks.router.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The memory of a Java process, as Linux and its own JVM tell it; -1 when it has ended. */
final class Footprint {
  private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");

  private final long pid;

  Footprint(long pid) {
    this.pid = pid;
  }

  /** Forgets the peak so far ({@code clear_refs} of proc(5)). */
  void reset() throws IOException {
    try {
      Files.writeString(Path.of("/proc/" + pid + "/clear_refs"), "5");
    } catch (IOException e) {
      // A process that has ended, or a system that does not allow it: then it is that of its life.
    }
  }

  /** The most resident memory since then. */
  double peakMegabytes() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  /** The live part of the heap, after a full collection. */
  double liveHeapMegabytes() throws IOException, InterruptedException {
    jcmd("GC.run");
    Matcher used = USED.matcher(jcmd("GC.heap_info"));
    double sum = 0;
    boolean found = false;
    while (used.find()) {
      found = true;
      sum += Long.parseLong(used.group(1)) / 1024.0;
    }
    return found ? sum : -1;
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
