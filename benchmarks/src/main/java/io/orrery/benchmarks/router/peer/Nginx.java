package io.orrery.benchmarks.router.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.child.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An nginx: hosts in its table of names, upstream connections kept. It serves one protocol at a
 * port without TLS, and does not gather the answers that are streams.
 */
public final class Nginx {
  private Nginx() {}

  /**
   * Starts it.
   *
   * @param program where it is installed
   * @param label the name in the table
   * @param workers how many processes forward
   * @param cores that it is tied to
   */
  public static Proxy start(
      EndpointLayout site, Path program, String label, int workers, String cores)
      throws IOException, InterruptedException {
    int port = MeasuredProcess.freePort();
    Path names =
        site.write("nginx", "names", "server_name " + site.plain(i -> host("s" + i) + "\n") + ";");
    String text =
        """
        daemon off; worker_processes %9$d; worker_rlimit_nofile 20000;
        pid %1$s/nginx/pid; error_log %1$s/nginx/errors;
        events { worker_connections 16384; }
        http {
          access_log off; client_body_buffer_size 256k; proxy_buffers 8 64k; proxy_buffer_size 64k;
          keepalive_requests 100000000; keepalive_timeout 300s;
          server_names_hash_max_size 524288; server_names_hash_bucket_size 128;
          client_body_temp_path %1$s/nginx/b; proxy_temp_path %1$s/nginx/p;
          fastcgi_temp_path %1$s/nginx/f; uwsgi_temp_path %1$s/nginx/u; scgi_temp_path %1$s/nginx/s;
          proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          split_clients "$request_id" $version { %2$d%% canary; * owner; }
          upstream owner { server 127.0.0.1:%4$d max_fails=0; %6$s }
          upstream canary { server 127.0.0.1:%5$d max_fails=0; %6$s }
          upstream pair {
            server 127.0.0.1:%4$d max_fails=1 fail_timeout=1s;
            server 127.0.0.1:%5$d max_fails=1 fail_timeout=1s;
            %6$s
          }
          server {
            listen 127.0.0.1:%7$d backlog=4096%10$s; include %3$s;
            location / { %11$s }
          }
        %8$s}
        """
            .formatted(
                site.folder(),
                EndpointLayout.CANARY_PERCENT,
                names,
                site.owner(),
                site.canary(),
                "keepalive 2048; keepalive_requests 100000000;",
                port,
                site.protocols() == ProtocolPair.PLAIN ? special(site, port) : "",
                workers,
                listening(site),
                forwarding(site));
    Path file = site.write("nginx", "nginx.conf", text);
    Proxy proxy =
        Proxy.start(
            label,
            site.folder(),
            port,
            cores,
            false,
            List.of(program.toString(), "-c", file.toString()));
    return proxy.changing(1_000, () -> proxy.signal(Signal.HUP));
  }

  /** The hosts with something special about them. */
  private static String special(EndpointLayout site, int port) {
    String mirrors =
        EndpointLayout.MIRRORED.stream()
            .map(name ->
                """
                server {
                  listen 127.0.0.1:%d; server_name %s;
                  location / { proxy_pass http://owner; mirror /mirror; }
                  location = /mirror { internal; proxy_pass http://127.0.0.1:%d$request_uri; }
                }
                """
                    .formatted(port, host(name), site.shadowOf(name)))
            .collect(Collectors.joining());
    return """
    server {
      listen 127.0.0.1:%1$d; server_name %2$s; location / { proxy_pass http://$version; }
    }
    server {
      listen 127.0.0.1:%1$d; server_name %3$s;
      location / { proxy_pass http://pair; proxy_next_upstream error timeout non_idempotent; }
    }
    """
            .formatted(port, host("split"), host("pair"))
        + mirrors;
  }

  private static String listening(EndpointLayout site) {
    ServerCertificate own = site.certificate();
    return (site.protocols().tls() ? " ssl" : "")
        + (site.protocols().http2() ? " http2" : "")
        + (site.protocols().tls()
            ? "; ssl_protocols TLSv1.3; ssl_certificate %s; ssl_certificate_key %s"
                .formatted(own.certificate(), own.key())
            : "");
  }

  private static String forwarding(EndpointLayout site) {
    return switch (site.protocols()) {
      case PLAIN, TLS, H2 -> "proxy_pass http://owner;";
      case TLS_ENDPOINTS ->
          ("proxy_pass https://owner; proxy_ssl_verify on; proxy_ssl_protocols TLSv1.3;"
                  + " proxy_ssl_trusted_certificate %s; proxy_ssl_name %s;"
                  + " proxy_ssl_server_name on;")
              .formatted(site.certificate().certificate(), host("s0"));
      case GRPC ->
          "grpc_pass grpc://owner; grpc_set_header Host $host;"
              + " grpc_set_header X-Forwarded-For $proxy_add_x_forwarded_for;";
      case EVENTS -> "proxy_pass http://owner; proxy_buffering off;";
    };
  }

  private static String host(String name) {
    return EndpointLayout.host(name);
  }
}
