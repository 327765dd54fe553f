package io.orrery.benchmarks.child;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs and listens on a port of loopback; it ends with its owner.
 *
 * @param name the name in a table
 */
public record MeasuredProcess(String name, Process process, int port) implements AutoCloseable {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /**
   * Starts a command and waits until its port answers.
   *
   * @param log where what it says is written
   * @param environment variables beside ours
   */
  public static MeasuredProcess start(
      String name, Path log, int port, List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(port)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IOException(name + " does not run: " + Files.readString(log));
      }
      Thread.sleep(20);
    }
    return new MeasuredProcess(name, process, port);
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

  /** Where a program is installed; null when it is not. */
  public static @Nullable Path installed(String program) {
    for (String directory : List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")) {
      Path file = Path.of(directory, program);
      if (Files.isExecutable(file)) {
        return file;
      }
    }
    return null;
  }

  /** Processor time of the process and all below it so far, user and system, in microseconds. */
  public double cpuMicros() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .mapToDouble(
            handle -> handle.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3)
        .sum();
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
