package io.orrery.journeys.page;

import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A reverse proxy of the machine, nginx or HAProxy, that serves a server below a path. */
final class FrontProxy implements AutoCloseable {
  private final Process process;
  private final URI url;

  private FrontProxy(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** nginx that passes requests on as they are, without a header about its path. */
  static FrontProxy nginxThatKeeps(String path, int server, Path folder) throws IOException {
    return nginx(path, "http://127.0.0.1:" + server, "", folder);
  }

  /** nginx that takes its path away and says so. */
  static FrontProxy nginxThatTakesAway(String path, int server, Path folder) throws IOException {
    return nginx(
        path,
        "http://127.0.0.1:" + server + "/",
        "proxy_set_header X-Forwarded-Prefix " + path + ";",
        folder);
  }

  private static FrontProxy nginx(String path, String target, String header, Path folder)
      throws IOException {
    int port = FreePort.take();
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
          map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
          server {
            listen 127.0.0.1:%2$d;
            location %3$s/ {
              proxy_pass %4$s;
              proxy_http_version 1.1;
              proxy_set_header Host $http_host;
              proxy_set_header Upgrade $http_upgrade;
              proxy_set_header Connection $connection_upgrade;
              %5$s
            }
          }
        }
        """
            .formatted(folder, port, path, target, header));
    return start(
        List.of(program("nginx"), "-p", folder.toString(), "-c", file.toString()),
        port,
        path,
        folder);
  }

  /** HAProxy that takes its path away and says so. */
  static FrontProxy haproxyThatTakesAway(String path, int server, Path folder) throws IOException {
    int port = FreePort.take();
    Files.createDirectories(folder);
    Path file = folder.resolve("haproxy.cfg");
    Files.writeString(
        file,
        """
        defaults
          mode http
          timeout connect 5s
          timeout client 60s
          timeout server 60s
        frontend in
          bind 127.0.0.1:%1$d
          http-request return status 404 unless { path_beg %2$s/ }
          http-request set-header X-Forwarded-Prefix %2$s
          http-request replace-path %2$s(/.*) \\1
          default_backend orrery
        backend orrery
          server one 127.0.0.1:%3$d
        """
            .formatted(port, path, server));
    return start(List.of(program("haproxy"), "-db", "-f", file.toString()), port, path, folder);
  }

  private static FrontProxy start(List<String> command, int port, String path, Path folder)
      throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("proxy.log").toFile())
            .start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !process.isAlive() || listens(port));
    if (!process.isAlive()) {
      throw new IOException("no proxy: " + Files.readString(folder.resolve("proxy.log")));
    }
    return new FrontProxy(process, URI.create("http://127.0.0.1:" + port + path));
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String program(String name) {
    Path path = Path.of("/usr/sbin", name);
    Assumptions.assumeTrue(
        Files.isExecutable(path), "no " + path + " (Debian and Ubuntu: apt install " + name + ")");
    return path.toString();
  }

  /** The address below which it serves the server, without a slash at the end. */
  URI url() {
    return url;
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
