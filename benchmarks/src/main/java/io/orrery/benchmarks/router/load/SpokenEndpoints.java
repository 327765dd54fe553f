package io.orrery.benchmarks.router.load;

import io.orrery.core.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The process of the endpoints that speak gRPC, or HTTP/1.1 over TLS. */
public final class SpokenEndpoints implements AutoCloseable {
  private static final int GRPC = 0;
  private static final int TLS = 1;

  private final Process process;
  private final BufferedReader answers;
  private final int[] ports;

  private SpokenEndpoints(Process process) throws IOException {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.ports = Json.read(line(answers.readLine()), int[].class);
  }

  /**
   * Starts it.
   *
   * @param core that it is tied to
   * @param certificate PEM, of the endpoint with TLS
   * @param key PEM
   */
  public static SpokenEndpoints start(String core, Path certificate, Path key) throws IOException {
    return new SpokenEndpoints(
        new ProcessBuilder(
                "taskset",
                "-c",
                core,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                SpokenProgram.class.getName(),
                certificate.toString(),
                key.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** The port for calls of gRPC, over HTTP/2 without TLS. */
  public int grpc() {
    return ports[GRPC];
  }

  /** The port for HTTP/1.1 over TLS. */
  public int tls() {
    return ports[TLS];
  }

  /** The same clients, whose calls of gRPC count only as far as they came here. */
  public Asking calledBy(Asking clients) {
    return counting(clients, GRPC);
  }

  /** The same clients, whose requests count only as far as they came to the port with TLS. */
  public Asking askedBy(Asking clients) {
    return counting(clients, TLS);
  }

  private Asking counting(Asking clients, int endpoint) {
    return (task, watch) -> {
      count();
      LoadOutcome asked = clients.run(task, watch);
      return asked.servedBy(count()[endpoint]);
    };
  }

  private int[] count() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return Json.read(line(answers.readLine()), int[].class);
  }

  private static String line(@Nullable String line) throws IOException {
    if (line == null) {
      throw new IOException("the endpoints ended");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
