package io.orrery.benchmarks.router.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.child.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An HAProxy: one thread, hosts in a map. It mirrors with the help of a second program only. */
public final class HaProxy {
  private HaProxy() {}

  /**
   * Starts it.
   *
   * @param program where it is installed
   */
  public static Proxy start(EndpointLayout site, Path program, String core)
      throws IOException, InterruptedException {
    int port = MeasuredProcess.freePort();
    String pair = EndpointLayout.host("pair") + " pair\n";
    Path map =
        site.write(
            "haproxy",
            "domains.map",
            site.plain(i -> EndpointLayout.host("s" + i) + " owner\n") + pair);
    String text =
        """
        global
          nbthread 1
          maxconn 8000
          stats socket %1$s/haproxy/socket mode 600 expose-fd listeners
        defaults
          mode http
          timeout connect 1s
          timeout client 300s
          timeout server 300s
          option forwardfor
          option redispatch
          retries 3
          http-reuse always
        frontend in
          bind 127.0.0.1:%2$d backlog 4096%8$s
          use_backend canary if { req.hdr(host),lower -m str %3$s } { rand(100) lt %4$d }
          use_backend owner if { req.hdr(host),lower -m str %3$s }
          use_backend %%[req.hdr(host),lower,map(%5$s)]
        backend owner
          server a 127.0.0.1:%6$d pool-max-conn 4096%9$s
        backend canary
          server b 127.0.0.1:%7$d pool-max-conn 4096
        backend pair
          retry-on conn-failure empty-response response-timeout
          server a 127.0.0.1:%6$d pool-max-conn 4096 check inter 500ms
          server b 127.0.0.1:%7$d pool-max-conn 4096 check inter 500ms
        """
            .formatted(
                site.folder(),
                port,
                EndpointLayout.host("split"),
                EndpointLayout.CANARY_PERCENT,
                map,
                site.owner(),
                site.canary(),
                listening(site),
                endpoint(site));
    Path file = site.write("haproxy", "haproxy.cfg", text);
    Proxy proxy =
        Proxy.start(
            "haproxy",
            site.folder(),
            port,
            core,
            false,
            List.of(program.toString(), "-W", "-f", file.toString()));
    return proxy.changing(1_000, () -> proxy.signal(Signal.USR2));
  }

  private static String listening(EndpointLayout site) {
    return switch (site.protocols()) {
      case PLAIN, EVENTS, TLS_ENDPOINTS -> "";
      case TLS -> tls(site, "http/1.1");
      case H2 -> tls(site, "h2");
      case GRPC -> " proto h2";
    };
  }

  private static String endpoint(EndpointLayout site) {
    return switch (site.protocols()) {
      case PLAIN, TLS, H2, EVENTS -> "";
      case GRPC -> " proto h2";
      case TLS_ENDPOINTS ->
          " ssl verify required ca-file %1$s verifyhost %2$s sni str(%2$s)"
              .formatted(site.certificate().certificate(), EndpointLayout.host("s0"));
    };
  }

  private static String tls(EndpointLayout site, String protocol) {
    return " ssl crt %s alpn %s ssl-min-ver TLSv1.3".formatted(site.certificate().both(), protocol);
  }
}
