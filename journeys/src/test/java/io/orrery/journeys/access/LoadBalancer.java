package io.orrery.journeys.access;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** An nginx that hands one request after the other to the servers in turn. */
final class LoadBalancer implements AutoCloseable {
  private static final Path NGINX = Path.of("/usr/sbin/nginx");

  private final Process process;
  private final int port;

  private LoadBalancer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one; skips the test where nginx is not installed. */
  static LoadBalancer start(int port, List<URI> servers, Path folder) throws IOException {
    assumeTrue(
        Files.isExecutable(NGINX), "no " + NGINX + " (Debian and Ubuntu: apt install nginx-light)");
    Files.createDirectories(folder);
    Path file = folder.resolve("nginx.conf");
    Files.writeString(file, configuration(port, servers, folder));
    Process process =
        new ProcessBuilder(NGINX.toString(), "-p", folder.toString(), "-c", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("nginx.log").toFile())
            .start();
    await().atMost(Duration.ofSeconds(20)).until(() -> !process.isAlive() || listens(port));
    if (!process.isAlive()) {
      throw new IOException("no nginx: " + Files.readString(folder.resolve("nginx.log")));
    }
    return new LoadBalancer(process, port);
  }

  // Each request goes over a connection of its own, so that the next one reaches the next server.
  private static String configuration(int port, List<URI> servers, Path folder) {
    return """
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
      map $http_upgrade $connection_upgrade { default upgrade; '' close; }
      upstream servers { %3$s }
      server {
        listen 127.0.0.1:%2$d;
        location / {
          proxy_pass http://servers;
          proxy_http_version 1.1;
          proxy_buffering off;
          proxy_read_timeout 1h;
          proxy_next_upstream error timeout;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $connection_upgrade;
        }
      }
    }
    """
        .formatted(
            folder,
            port,
            servers.stream()
                .map(server -> "server " + server.getAuthority() + " max_fails=0;")
                .collect(Collectors.joining(" ")));
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port);
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
