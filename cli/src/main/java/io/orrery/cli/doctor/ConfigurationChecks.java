package io.orrery.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.ServerFile;
import io.orrery.cli.config.Configured;
import io.orrery.core.check.CertificateEnd;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.Reach;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks of what the configuration names: ports, certificate, brokers, clusters. */
final class ConfigurationChecks {
  private final Path home;
  private final Configured configured;
  private final List<CheckResult> results = new ArrayList<>();

  ConfigurationChecks(Path home, Configured configured) {
    this.home = home;
    this.configured = configured;
  }

  List<CheckResult> run() {
    String fault = configured.fault();
    if (fault != null) {
      results.add(
          CheckResult.failed(
              "configuration",
              configured.file() + ": " + fault,
              "repair the file; the rest is checked" + " without it"));
    } else {
      boolean there = Files.exists(configured.file());
      results.add(
          CheckResult.ok(
              "configuration", there ? configured.file().toString() : "none, so the defaults"));
    }
    port("http.port", "http.host", 8080);
    port("router.port", "router.host", 8000);
    certificate("http.tls", "certificate");
    certificate("cluster.tls", "certificate of the cluster");
    brokers();
    for (Map.Entry<String, JsonNode> cluster : configured.at("clusters").properties()) {
      cluster(cluster.getKey(), cluster.getValue());
    }
    return results;
  }

  private void port(String key, String hostKey, int usual) {
    String said = configured.text(key);
    if ("off".equals(said) || "0".equals(said)) {
      return;
    }
    int port;
    try {
      port = said == null ? usual : Integer.parseInt(said);
    } catch (NumberFormatException e) {
      results.add(CheckResult.failed(key, "'" + said + "' is no port", "give a number"));
      return;
    }
    String host = configured.text(hostKey) == null ? "127.0.0.1" : configured.text(hostKey);
    Optional<ServerFile> server = ServerFile.read(home).filter(file -> file.process().isPresent());
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      results.add(CheckResult.ok(key, host + ":" + port + " is free"));
    } catch (IOException | IllegalArgumentException e) {
      if (server.isPresent()) {
        String by = host + ":" + port + " is served, and the server of this home runs (process %d)";
        results.add(CheckResult.ok(key, by.formatted(server.get().pid())));
      } else {
        results.add(
            CheckResult.failed(
                key,
                host + ":" + port + " cannot be had: " + e.getMessage(),
                "end what listens there (`ss -ltnp`), or choose another " + key));
      }
    }
  }

  private void certificate(String section, String called) {
    String named = configured.text(section + ".certificate");
    if (named == null) {
      return;
    }
    Path file = configured.path(named);
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      Instant end = certificate.getNotAfter().toInstant();
      String found = certificate.getSubjectX500Principal().getName() + " until " + end;
      results.add(
          CertificateEnd.check(
              called,
              found,
              certificate.getNotBefore().toInstant(),
              end,
              Instant.now(),
              file.toString()));
    } catch (IOException | CertificateException e) {
      results.add(
          CheckResult.failed(
              called, file + " cannot be read: " + e.getMessage(), "name a PEM file"));
    }
    String key = configured.text(section + ".key");
    if (key == null || !Files.isReadable(configured.path(key))) {
      results.add(
          CheckResult.failed(
              "key of the " + called, "cannot be read", "name a PEM file in " + section + ".key"));
    }
  }

  private void brokers() {
    String servers = configured.text("kafka.bootstrapServers");
    for (String server : servers == null ? new String[0] : servers.split("\\s*,\\s*")) {
      int colon = server.lastIndexOf(':');
      try {
        int port = Integer.parseInt(server.substring(colon + 1));
        reach("kafka " + server, server.substring(0, colon), port, "start the broker");
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        results.add(CheckResult.failed("kafka", "'" + server + "' is no host:port", "repair it"));
      }
    }
  }

  /** The server's own default. */
  private static final String PODMAN = "unix:///run/podman/podman.sock";

  private void cluster(String name, JsonNode cluster) {
    String check = "cluster " + name;
    switch (cluster.path("runtime").asText()) {
      case "container" -> {
        String socket = cluster.path("socket").asText(PODMAN);
        results.add(Reach.engine(check, Path.of(socket.replaceFirst("^unix://", ""))));
      }
      case "kubernetes" -> kubernetes(check, cluster.path("kubeconfig").asText());
      default ->
          results.add(
              CheckResult.failed(
                  check,
                  "its runtime is '" + cluster.path("runtime").asText() + "'",
                  "a runtime is container or kubernetes"));
    }
  }

  private void kubernetes(String check, String named) {
    if (named.isEmpty()) {
      results.add(
          CheckResult.ok(check, "the kubeconfig of the environment, which is not looked at"));
      return;
    }
    Configured file = Configured.read(configured.path(named), Map.of());
    if (file.fault() != null || !Files.isReadable(file.file())) {
      results.add(
          CheckResult.failed(
              check, file.file() + " cannot be read", "repair kubeconfig of the cluster"));
      return;
    }
    for (JsonNode entry : file.root().path("clusters")) {
      try {
        URI server = URI.create(entry.path("cluster").path("server").asText());
        int port = server.getPort() < 0 ? 443 : server.getPort();
        reach(check, server.getHost(), port, "check the kubeconfig and the network");
      } catch (IllegalArgumentException e) {
        results.add(CheckResult.failed(check, "its server is no address", "repair the kubeconfig"));
      }
    }
  }

  private void reach(String check, String host, int port, String advice) {
    results.add(Reach.port(check, host, port, advice));
  }
}
