package io.orrery.journeys.router;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.TestAuthority.plainAnswer;
import static io.orrery.journeys.TestAuthority.shown;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import io.orrery.journeys.TestAuthority;
import io.orrery.journeys.TestAuthority.Issued;
import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * TLS with certificates on both sides: between servers, and between a server and a router alone.
 */
class MutualTlsIT {
  private static final byte[] MEMBER = "HZC".getBytes(US_ASCII);
  private static final byte[] NOTHING = new byte[0];
  private static final Pattern HTTPS = Pattern.compile("ready at https://[^:]+:(\\d+)");
  private static final Pattern ROUTER = Pattern.compile("router is ready at http://[^:]+:(\\d+),");

  @TempDir Path temp;

  private static String cluster(int busPort, TestAuthority authority, Issued own) {
    return """
      busPort: %d
      tls: {certificate: '%s', key: '%s', authority: '%s'}
    """
        .formatted(busPort, own.certificate(), own.key(), authority.certificate());
  }

  @Test
  @Timeout(300)
  void serversKnowEachOtherByCertificatesThatAreRenewedWhileTheyRun() throws Exception {
    TestAuthority authority = new TestAuthority(temp.resolve("authority"));
    TestAuthority foreign = new TestAuthority(temp.resolve("foreign"));
    foreign.issue("intruder", 90);
    Issued first = authority.issue("first", 90);
    Issued second = authority.issue("second", 20);
    List<Integer> ports = List.of(FreePort.take(), FreePort.take());
    List<Integer> buses = List.of(FreePort.take(), FreePort.take());
    ServersTogether servers =
        new ServersTogether(temp.resolve("homes"), PostgresServer.newDatabase(), 2, 3);
    try (ServerProcess a =
            servers.beginBehind(ports, "a", ports.get(0), cluster(buses.get(0), authority, first));
        ServerProcess b =
            servers.beginBehind(
                ports, "b", ports.get(1), cluster(buses.get(1), authority, second))) {
      a.ready(PATIENCE);
      b.ready(PATIENCE);
      String id =
          a.post("/experiments", NumberedTrials.config(temp, 2, 100_000)).get("id").textValue();
      // What b is asked is answered by a, over the bus.
      ServersTogether.await(
          "an answer of a through b",
          () -> b.send("GET", "/experiments/" + id, BodyPublishers.noBody()).statusCode() == 200);
      ServersTogether.awaitMore(b, List.of(id), 2);
      assertThat(b.log()).contains("second.pem ends at").contains("renew it");
      assertThat(a.log()).doesNotContain("renew it");
      assertThat(a.text("/metrics")).contains("orrery_certificate_end_seconds");

      for (int port : List.of(ports.get(0), buses.get(0))) {
        assertThat(plainAnswer(port, "HZC without TLS, longer than a head".getBytes(US_ASCII)))
            .doesNotContain(MEMBER);
        assertThatThrownBy(() -> shown(authority.stranger(), port, MEMBER))
            .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> shown(foreign.client("intruder"), port, MEMBER))
            .isInstanceOf(IOException.class);
      }
      BigInteger before = shown(authority.client("first"), ports.get(0), MEMBER).getSerialNumber();
      assertThat(shown(authority.client("first"), buses.get(0), NOTHING).getSerialNumber())
          .isEqualTo(before);

      authority.issue("first", 60);
      BigInteger fresh = authority.serial("first");
      assertThat(fresh).isNotEqualTo(before);
      for (int port : List.of(ports.get(0), buses.get(0))) {
        ServersTogether.await(
            "the new certificate at " + port,
            () -> shown(authority.client("second"), port, NOTHING).getSerialNumber().equals(fresh));
      }
      ServersTogether.awaitMore(b, List.of(id), 2);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(300)
  void aRouterShowsItsCertificateInThePlaceOfAToken() throws Exception {
    TestAuthority authority = new TestAuthority(temp.resolve("authority"));
    Issued own = authority.issue("server", 90);
    Issued router = authority.issue("edge-1", 90);
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        """
        auth: {tokens: [{name: ci, role: admin, sha256: %s}]}
        http:
          tls: {certificate: '%s', key: '%s', authority: '%s', localPort: 0}
        """
            .formatted(
                new BearerToken("known").sha256(),
                own.certificate(),
                own.key(),
                authority.certificate()));
    try (ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready()) {
      ServersTogether.await("its address", () -> HTTPS.matcher(server.log()).find());
      Matcher https = HTTPS.matcher(server.log());
      assertThat(https.find()).isTrue();
      ServersTogether.await("a table", () -> put(server, "services: [{name: first}]") == 200);
      String url = "https://localhost:" + https.group(1);

      Path stranger = temp.resolve("stranger.log");
      Process without = route(url, "authority: '%s'".formatted(authority.certificate()), stranger);
      try {
        ServersTogether.await(
            "a refusal", () -> Files.readString(stranger).contains("it answered 401"));
      } finally {
        without.destroyForcibly().onExit().join();
      }

      Path log = temp.resolve("router.log");
      Process with =
          route(
              url,
              "authority: '%s', certificate: '%s', key: '%s'"
                  .formatted(authority.certificate(), router.certificate(), router.key()),
              log);
      try {
        ServersTogether.await("a router", () -> ROUTER.matcher(Files.readString(log)).find());
        Matcher ready = ROUTER.matcher(Files.readString(log));
        assertThat(ready.find()).isTrue();
        int port = Integer.parseInt(ready.group(1));
        ServersTogether.await("the table", () -> FollowedServerIT.knows(port, "first"));

        authority.issue("edge-1", 60);
        ServersTogether.await(
            "the new certificate", () -> Files.readString(log).contains("read the certificate"));
        assertThat(put(server, "services: [{name: next}]")).isEqualTo(200);
        ServersTogether.await("the next table", () -> FollowedServerIT.knows(port, "next"));
      } finally {
        with.destroyForcibly().onExit().join();
      }

      // The certificate of the port itself is renewed without a restart, too.
      authority.issue("server", 60);
      BigInteger fresh = authority.serial("server");
      int port = Integer.parseInt(https.group(1));
      ServersTogether.await(
          "the server's new certificate",
          () -> shown(authority.stranger(), port, NOTHING).getSerialNumber().equals(fresh));
    }
  }

  private static int put(ServerProcess server, String table) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.url().resolve("/api/v1/routes"))
              .header("Authorization", "Bearer known")
              .PUT(BodyPublishers.ofString(table))
              .build();
      return client.send(request, BodyHandlers.ofString()).statusCode();
    }
  }

  private Process route(String url, String follow, Path log) throws IOException {
    Path file = temp.resolve(log.getFileName() + ".yml");
    Files.writeString(
        file, "listen: {port: 0}\nadmin: {port: 0}\nfollow: {%s}\n".formatted(follow));
    return new ProcessBuilder(
            ServerProcess.command("route", "--config", file.toString(), "--follow", url))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
