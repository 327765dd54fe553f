package io.orrery.journeys.access;

import io.orrery.journeys.ProxyProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** An nginx that hands one request after the other to the servers in turn. */
record LoadBalancer(ProxyProcess nginx, URI url) implements AutoCloseable {
  /** Starts one; skips the test where nginx is not installed. */
  static LoadBalancer start(int port, List<URI> servers, Path folder) throws IOException {
    return new LoadBalancer(
        ProxyProcess.nginx(port, blocks(port, servers), folder),
        URI.create("http://127.0.0.1:" + port));
  }

  // Each request goes over a connection of its own, so that the next one reaches the next server.
  private static String blocks(int port, List<URI> servers) {
    return """
    map $http_upgrade $connection_upgrade { default upgrade; '' close; }
    upstream servers { %2$s }
    server {
      listen 127.0.0.1:%1$d;
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
    """
        .formatted(
            port,
            servers.stream()
                .map(server -> "server " + server.getAuthority() + " max_fails=0;")
                .collect(Collectors.joining(" ")));
  }

  @Override
  public void close() {
    nginx.close();
  }
}
