package io.orrery.benchmarks.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The processor time of a Java process, user and system, in milliseconds, by what its threads are
 * for, as Linux tells it: what the compilers took, what the collector took (the serial one works in
 * the thread of the virtual machine), and the rest. Of a thread that has ended nothing is told.
 */
public record ThreadTimes(double work, double compilers, double collector) {
  private static final double TICK = 10;

  /** As it is now. */
  public static ThreadTimes of(long pid) throws IOException {
    double work = 0;
    double compilers = 0;
    double collector = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        String stat = stat(thread);
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        double time = (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK;
        if (name.matches("C[12] Compiler.*")) {
          compilers += time;
        } else if (name.equals("VM Thread") || name.startsWith("GC ")) {
          collector += time;
        } else {
          work += time;
        }
      }
    }
    return new ThreadTimes(work, compilers, collector);
  }

  private static String stat(Path thread) throws IOException {
    try {
      return Files.readString(thread.resolve("stat"));
    } catch (NoSuchFileException ended) {
      return "0 (ended) X 0 0 0 0 0 0 0 0 0 0 0 0";
    }
  }

  /** What came since an earlier look, for each of so many. */
  public ThreadTimes since(ThreadTimes before, int many) {
    return new ThreadTimes(
        (work - before.work) / many,
        (compilers - before.compilers) / many,
        (collector - before.collector) / many);
  }

  public double sum() {
    return work + compilers + collector;
  }
}
