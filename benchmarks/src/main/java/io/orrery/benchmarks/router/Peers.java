package io.orrery.benchmarks.router;

import io.orrery.benchmarks.router.Scenario.Shadow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Every proxy, set up for a scenario: one event loop, no logs, connections kept. */
final class Peers {
  private final Path folder;
  private final Path distribution;
  private final int[] endpoints;

  /**
   * @param endpoints the ports of the owner, the other version, the shadow
   */
  Peers(Path folder, Path distribution, int[] endpoints) {
    this.folder = folder;
    this.distribution = distribution;
    this.endpoints = endpoints.clone();
  }

  /** All that are installed and can do it. */
  List<Proxy> start(Scenario scenario) throws IOException, InterruptedException {
    List<Proxy> proxies = new ArrayList<>();
    proxies.add(orrery(scenario));
    if (installed("nginx")) {
      proxies.add(nginx(scenario));
    }
    // HAProxy mirrors with the help of a second program only.
    if (installed("haproxy") && scenario.shadow() == Shadow.NONE) {
      proxies.add(haproxy(scenario));
    }
    return proxies;
  }

  private static boolean installed(String name) {
    return path(name) != null;
  }

  private static @Nullable Path path(String name) {
    for (String directory : List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")) {
      Path file = Path.of(directory, name);
      if (Files.isExecutable(file)) {
        return file;
      }
    }
    return null;
  }

  private int shadowPort(Scenario scenario) throws IOException {
    return scenario.shadow() == Shadow.DEAD ? Proxy.freePort() : endpoints[2];
  }

  private Proxy orrery(Scenario scenario) throws IOException, InterruptedException {
    int port = Proxy.freePort();
    StringBuilder text = new StringBuilder();
    text.append("listen: {port: ")
        .append(port)
        .append(", loops: 1}\nadmin: {port: 0}\nservices:\n");
    for (int i = 0; i < scenario.domains(); i++) {
      text.append("  - {name: s").append(i).append(", endpoints: [\"127.0.0.1:");
      text.append(endpoints[0]).append("\"], limits: {connections: 4096, pending: 4096}");
      if (scenario.canary() > 0) {
        text.append(", split: \"canary:").append(scenario.canary()).append("%\"");
      }
      if (scenario.shadow() != Shadow.NONE) {
        text.append(", mirror: \"shadow:100%\"");
      }
      text.append("}\n");
    }
    text.append("  - {name: canary, endpoints: [\"127.0.0.1:")
        .append(endpoints[1])
        .append("\"]}\n");
    text.append("  - {name: shadow, endpoints: [\"127.0.0.1:")
        .append(shadowPort(scenario))
        .append("\"]}\n");
    Path file = Files.writeString(folder.resolve("routes.yml"), text);
    return Proxy.start(
        "orrery",
        folder,
        port,
        List.of(
            distribution.resolve("bin/orrery").toString(), "route", "--config", file.toString()));
  }

  private Proxy nginx(Scenario scenario) throws IOException, InterruptedException {
    int port = Proxy.freePort();
    String servers =
        IntStream.range(0, scenario.domains())
            .mapToObj(i ->
                "server { listen 127.0.0.1:"
                    + port
                    + " backlog=4096; server_name "
                    + Scenario.host(i)
                    + "; location / { proxy_pass http://"
                    + target(scenario)
                    + "; "
                    + (scenario.shadow() == Shadow.NONE ? "" : "mirror /mirror; ")
                    + "} "
                    + (scenario.shadow() == Shadow.NONE
                        ? ""
                        : "location = /mirror { internal; proxy_pass http://shadow$request_uri; } ")
                    + "}\n")
            .collect(Collectors.joining());
    // The backlog belongs to the first server of an address alone.
    String listening = servers.replace(" backlog=4096", "");
    String text =
        """
        daemon off; worker_processes 1; worker_rlimit_nofile 20000; pid %1$s/nginx.pid; error_log %1$s/nginx.err;
        events { worker_connections 16384; }
        http {
          access_log off; client_body_buffer_size 256k; proxy_buffers 8 64k; proxy_buffer_size 64k;
          keepalive_requests 100000000; keepalive_timeout 300s; server_names_hash_max_size 65536;
          server_names_hash_bucket_size 128;
          client_body_temp_path %1$s/nginx-body; proxy_temp_path %1$s/nginx-proxy;
          fastcgi_temp_path %1$s/nginx-f; uwsgi_temp_path %1$s/nginx-u; scgi_temp_path %1$s/nginx-s;
          proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          split_clients "$request_id" $version { %2$d%% canary; * owner; }
          upstream owner { server 127.0.0.1:%3$d max_fails=0; keepalive 2048; keepalive_requests 100000000; }
          upstream canary { server 127.0.0.1:%4$d max_fails=0; keepalive 2048; keepalive_requests 100000000; }
          upstream shadow { server 127.0.0.1:%5$d max_fails=0; keepalive 2048; keepalive_requests 100000000; }
          %6$s}
        """
            .formatted(
                folder,
                Math.max(1, scenario.canary()),
                endpoints[0],
                endpoints[1],
                shadowPort(scenario),
                listening);
    Path file = Files.writeString(folder.resolve("nginx.conf"), text);
    return Proxy.start(
        "nginx", folder, port, List.of(String.valueOf(path("nginx")), "-c", file.toString()));
  }

  private static String target(Scenario scenario) {
    return scenario.canary() > 0 ? "$version" : "owner";
  }

  private Proxy haproxy(Scenario scenario) throws IOException, InterruptedException {
    int port = Proxy.freePort();
    Path map =
        Files.writeString(
            folder.resolve("haproxy.map"),
            IntStream.range(0, scenario.domains())
                .mapToObj(i -> Scenario.host(i) + " owner\n")
                .collect(Collectors.joining()));
    String text =
        """
        global
          nbthread 1
          maxconn 8000
        defaults
          mode http
          timeout connect 1s
          timeout client 300s
          timeout server 300s
          option forwardfor
          http-reuse always
        frontend in
          bind 127.0.0.1:%d backlog 4096
          %s
          use_backend %%[req.hdr(host),lower,map(%s)]
        backend owner
          server a 127.0.0.1:%d pool-max-conn 4096
        backend canary
          server b 127.0.0.1:%d pool-max-conn 4096
        """
            .formatted(
                port,
                scenario.canary() > 0
                    ? "use_backend canary if { rand(100) lt " + scenario.canary() + " }"
                    : "",
                map,
                endpoints[0],
                endpoints[1]);
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
    return Proxy.start(
        "haproxy", folder, port, List.of(String.valueOf(path("haproxy")), "-f", file.toString()));
  }
}
