package io.orrery.benchmarks.router.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A router of our own, with everything on that a user would have on: metrics, limits, ejection,
 * health checks.
 */
public final class OrreryProxy {
  private OrreryProxy() {}

  /**
   * Starts it.
   *
   * @param distribution the folder with bin/orrery
   * @param label the name in the table
   * @param loops how many event loops
   * @param cores that it is tied to
   * @param fastPath whether it forwards as bytes, or over the API of Vert.x
   */
  public static Proxy start(
      EndpointLayout site,
      Path distribution,
      String label,
      int loops,
      String cores,
      boolean fastPath)
      throws IOException, InterruptedException {
    int port = MeasuredProcess.freePort();
    int admin = MeasuredProcess.freePort();
    String services = services(site);
    Path file =
        site.write(
            label,
            "routes.yml",
            "listen: {port: %d, loops: %d, fastPath: %s%s}%nadmin: {port: %d}%n"
                    .formatted(port, loops, fastPath, tls(site), admin)
                + services);
    List<String> command =
        List.of(
            distribution.resolve("bin/orrery").toString(), "route", "--config", file.toString());
    HttpClient client = HttpClient.newHttpClient();
    URI routes = URI.create("http://127.0.0.1:" + admin + "/api/v1/routes");
    HttpRequest put = HttpRequest.newBuilder(routes).PUT(BodyPublishers.ofString(services)).build();
    // Besides much else it tells the answers of each version: what gates look at once a second.
    HttpRequest get = HttpRequest.newBuilder(routes).build();
    return Proxy.start(label, site.folder(), port, cores, true, command)
        .changing(200, () -> send(client, put, "the table was refused"))
        .looking(1_000, () -> send(client, get, "the counts were not told"));
  }

  private static void send(HttpClient client, HttpRequest request, String otherwise)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(otherwise + ": " + answer.body());
    }
  }

  private static String tls(EndpointLayout site) {
    ServerCertificate own = site.certificate();
    return site.protocols().tls()
        ? ", tls: [{certificate: \"%s\", key: \"%s\"}]".formatted(own.certificate(), own.key())
        : "";
  }

  private static String spoken(EndpointLayout site) throws IOException {
    return switch (site.protocols()) {
      case PLAIN, TLS, H2, EVENTS -> "";
      case GRPC -> ", protocol: h2c";
      case TLS_ENDPOINTS ->
          ", protocol: https, tls: {authority: \"%s\", serverName: %s}"
              .formatted(
                  Files.readString(site.certificate().certificate()).replace("\n", "\\n"),
                  EndpointLayout.host("s0"));
    };
  }

  private static String services(EndpointLayout site) throws IOException {
    String limits = ", limits: {connections: 4096, pending: 4096}";
    String health = ", health: {path: /healthz, interval: 2s}";
    String owner = one(site.owner());
    String spoken = spoken(site);
    StringBuilder text = new StringBuilder("services:\n");
    text.append(site.plain(i -> "  - {name: s" + i + owner + spoken + limits + "}\n"));
    if (site.protocols() != ProtocolPair.PLAIN) {
      return text.toString();
    }
    text.append("  - {name: split").append(owner).append(limits).append(health);
    text.append(", split: \"canary:").append(EndpointLayout.CANARY_PERCENT).append("%\"}\n");
    String both =
        ", endpoints: [\"127.0.0.1:%d\", \"127.0.0.1:%d\"]".formatted(site.owner(), site.canary());
    text.append("  - {name: pair").append(both).append(limits).append("}\n");
    text.append("  - {name: hedged").append(both).append(limits);
    text.append(", hedge: {after: 5ms, budget: 5%}}\n");
    text.append("  - {name: canary").append(one(site.canary())).append(limits).append("}\n");
    for (String mirrored : EndpointLayout.MIRRORED) {
      text.append("  - {name: ").append(mirrored).append(owner).append(limits).append(health);
      text.append(", mirror: \"to-").append(mirrored).append(":100%\"}\n");
      text.append("  - {name: to-").append(mirrored).append(one(site.shadowOf(mirrored)));
      text.append("}\n");
    }
    return text.toString();
  }

  private static String one(int port) {
    return ", endpoints: [\"127.0.0.1:" + port + "\"]";
  }
}
