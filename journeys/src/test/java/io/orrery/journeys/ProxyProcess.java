package io.orrery.journeys;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A reverse proxy of the machine, nginx or HAProxy, that runs in the foreground. */
public final class ProxyProcess implements AutoCloseable {
  private final Process process;

  private ProxyProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts nginx; skips the test where it is not installed.
   *
   * @param blocks of {@code http}, which listen at the port
   */
  public static ProxyProcess nginx(int port, String blocks, Path folder) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("nginx.conf");
    Files.writeString(
        file,
        """
        daemon off;
        master_process off;
        error_log stderr;
        pid "%1$s/nginx.pid";
        events {}
        http {
          access_log off;
          client_body_temp_path "%1$s/body";
          proxy_temp_path "%1$s/proxy";
          fastcgi_temp_path "%1$s/fastcgi";
          uwsgi_temp_path "%1$s/uwsgi";
          scgi_temp_path "%1$s/scgi";
          %2$s
        }
        """
            .formatted(folder, blocks));
    return start("nginx", List.of("-p", folder.toString(), "-c", file.toString()), port, folder);
  }

  /** Starts a program that listens at a port; skips the test where it is not installed. */
  public static ProxyProcess start(String name, List<String> arguments, int port, Path folder)
      throws IOException {
    Path program = Path.of("/usr/sbin", name);
    Assumptions.assumeTrue(
        Files.isExecutable(program),
        "no " + program + " (Debian and Ubuntu: apt install " + name + ")");
    Process process =
        new ProcessBuilder(
                Stream.concat(Stream.of(program.toString()), arguments.stream()).toList())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("proxy.log").toFile())
            .start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !process.isAlive() || listens(port));
    if (!process.isAlive()) {
      throw new IOException("no proxy: " + Files.readString(folder.resolve("proxy.log")));
    }
    return new ProxyProcess(process);
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process
        .onExit()
        .completeOnTimeout(process, 20, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly)
        .join();
  }
}
