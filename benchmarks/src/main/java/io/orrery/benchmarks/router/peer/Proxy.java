package io.orrery.benchmarks.router.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running proxy.
 *
 * @param port where it takes requests
 * @param compiles whether it gets faster while it runs
 * @param change how its table is put in force anew; null when it cannot do that
 */
public record Proxy(
    String name, Process process, int port, boolean compiles, @Nullable Change change)
    implements AutoCloseable {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /** How a table is put in force anew, and how often that is done while it is measured. */
  record Change(long everyMillis, Action action) {}

  /** What can fail. */
  interface Action {
    void run() throws IOException, InterruptedException;
  }

  /** Starts a command that writes its log into a folder, and waits until its port answers. */
  static Proxy start(
      String name, Path folder, int port, String cores, boolean compiles, List<String> command)
      throws IOException, InterruptedException {
    List<String> tied = Stream.concat(Stream.of("taskset", "-c", cores), command.stream()).toList();
    Path log = folder.resolve(name.replace(' ', '-') + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(tied).redirectErrorStream(true).redirectOutput(log.toFile());
    // glibc would give large buffers back after each request, and fault them in again.
    builder
        .environment()
        .putAll(
            Map.of(
                "MALLOC_TRIM_THRESHOLD_", "134217728",
                "MALLOC_TOP_PAD_", "16777216",
                "MALLOC_MMAP_THRESHOLD_", "134217728"));
    Process process = builder.start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(port)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IOException(name + " does not run: " + Files.readString(log));
      }
      Thread.sleep(20);
    }
    return new Proxy(name, process, port, compiles, null);
  }

  Proxy changing(long everyMillis, Action action) {
    return new Proxy(name, process, port, compiles, new Change(everyMillis, action));
  }

  /** Whether its table can be changed while it runs. */
  public boolean changes() {
    return change != null;
  }

  /** Changes its table again and again until the thread is interrupted; returns how often. */
  public int keepChanging() throws IOException {
    int changes = 0;
    if (change == null) {
      return changes;
    }
    try {
      while (true) {
        Thread.sleep(change.everyMillis);
        change.action.run();
        changes++;
      }
    } catch (InterruptedException enough) {
      return changes;
    }
  }

  void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** A port that is free now. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Processor time of the process and all below it so far, user and system, in microseconds. */
  public double cpuMicros() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .mapToDouble(handle -> ticks(handle.pid()) * 10_000.0)
        .sum();
  }

  private static long ticks(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    process
        .onExit()
        .orTimeout(10, TimeUnit.SECONDS)
        .exceptionally(late -> process.destroyForcibly())
        .join();
  }
}
