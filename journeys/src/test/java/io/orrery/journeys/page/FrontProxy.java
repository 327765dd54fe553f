package io.orrery.journeys.page;

import io.orrery.core.net.FreePort;
import io.orrery.journeys.ProxyProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A reverse proxy of the machine, nginx or HAProxy, that serves a server below a path. */
final class FrontProxy implements AutoCloseable {
  private final ProxyProcess process;
  private final URI url;

  private FrontProxy(ProxyProcess process, URI url) {
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
    String blocks =
        """
        map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
        server {
          listen 127.0.0.1:%1$d;
          location %2$s/ {
            proxy_pass %3$s;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            %4$s
          }
        }
        """
            .formatted(port, path, target, header);
    return new FrontProxy(ProxyProcess.nginx(port, blocks, folder), address(port, path));
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
    return new FrontProxy(
        ProxyProcess.start("haproxy", List.of("-db", "-f", file.toString()), port, folder),
        address(port, path));
  }

  private static URI address(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** The address below which it serves the server, without a slash at the end. */
  URI url() {
    return url;
  }

  @Override
  public void close() {
    process.close();
  }
}
