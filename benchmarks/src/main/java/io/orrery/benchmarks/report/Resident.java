package io.orrery.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Reads the resident memory of a process from Linux. */
public final class Resident {
  private Resident() {}

  /** Resident memory in megabytes (2^20 bytes). */
  public static double megabytes(long pid) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      String line = lines.filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Double.parseDouble(line.replaceAll("\\D", "")) / 1024;
    }
  }
}
