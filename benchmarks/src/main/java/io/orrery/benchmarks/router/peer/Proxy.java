package io.orrery.benchmarks.router.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.child.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running proxy.
 *
 * @param compiles whether it gets faster while it runs
 * @param change how its table is put in force anew; null when it cannot do that
 * @param look how the answers of each version are read; null when it cannot do that
 */
public record Proxy(
    MeasuredProcess child, boolean compiles, @Nullable Change change, @Nullable Change look)
    implements AutoCloseable {
  /** An action of an administrator, and how often it is done while a proxy is measured. */
  record Change(long everyMillis, Action action) {}

  /** An action that can fail. */
  interface Action {
    void run() throws IOException, InterruptedException;
  }

  /** Starts a command that writes its log into a folder, and waits until its port answers. */
  static Proxy start(
      String name, Path folder, int port, String cores, boolean compiles, List<String> command)
      throws IOException, InterruptedException {
    List<String> tied = Stream.concat(Stream.of("taskset", "-c", cores), command.stream()).toList();
    // glibc would give large buffers back after each request, and fault them in again.
    Map<String, String> environment =
        Map.of(
            "MALLOC_TRIM_THRESHOLD_", "134217728",
            "MALLOC_TOP_PAD_", "16777216",
            "MALLOC_MMAP_THRESHOLD_", "134217728");
    Path log = folder.resolve(name.replace(' ', '-') + ".log");
    return new Proxy(
        MeasuredProcess.start(name, log, port, tied, environment), compiles, null, null);
  }

  public String name() {
    return child.name();
  }

  /** Where it takes requests. */
  public int port() {
    return child.port();
  }

  Proxy changing(long everyMillis, Action action) {
    return new Proxy(child, compiles, new Change(everyMillis, action), look);
  }

  Proxy looking(long everyMillis, Action action) {
    return new Proxy(child, compiles, change, new Change(everyMillis, action));
  }

  /** Whether its table can be changed while it runs. */
  public boolean changes() {
    return change != null;
  }

  /** Changes its table again and again until the thread is interrupted; returns how often. */
  public int keepChanging() throws IOException {
    return keep(change);
  }

  /** Reads its answers again and again until the thread is interrupted; returns how often. */
  public int keepLooking() throws IOException {
    return keep(look);
  }

  private static int keep(@Nullable Change what) throws IOException {
    int times = 0;
    if (what == null) {
      return times;
    }
    try {
      while (true) {
        Thread.sleep(what.everyMillis);
        what.action.run();
        times++;
      }
    } catch (InterruptedException enough) {
      return times;
    }
  }

  void signal(Signal signal) throws IOException {
    signal.send(child.process().toHandle());
  }

  /** Processor time of the process and all below it so far, user and system, in microseconds. */
  public double cpuMicros() {
    return child.cpuMicros();
  }

  @Override
  public void close() {
    child.close();
  }
}
