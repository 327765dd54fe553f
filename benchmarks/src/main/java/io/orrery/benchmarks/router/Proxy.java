package io.orrery.benchmarks.router;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A running proxy, tied to one core.
 *
 * @param port where it takes requests
 */
record Proxy(String name, Process process, int port) implements AutoCloseable {
  private static final String CORE = "0";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  /** Starts a command that writes its log into a folder, and waits until its port answers. */
  static Proxy start(String name, Path folder, int port, List<String> command)
      throws IOException, InterruptedException {
    List<String> tied = Stream.concat(Stream.of("taskset", "-c", CORE), command.stream()).toList();
    Process process =
        new ProcessBuilder(tied)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(port)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IOException(
            name + " does not run: " + Files.readString(folder.resolve(name + ".log")));
      }
      Thread.sleep(20);
    }
    return new Proxy(name, process, port);
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** A port that is free now. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Processor time of the process and all below it so far, user and system, in microseconds. */
  double cpuMicros() {
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
