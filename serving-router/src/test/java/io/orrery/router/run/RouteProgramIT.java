package io.orrery.router.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The router alone, as a process: its file, its admin port, its signals. */
class RouteProgramIT {
  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer upstream;
  private CountDownLatch hold;
  private Path file;
  private RouteProcess process;

  @BeforeEach
  void start() throws IOException {
    hold = new CountDownLatch(0);
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          try {
            hold.await(20, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    upstream.start();
    file = directory.resolve("routes.yml");
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.close();
    upstream.stop(0);
    if (process != null) {
      process.kill();
    }
  }

  private void launch(String services) throws IOException {
    Files.writeString(file, config(services));
    process = RouteProcess.start(file, directory.resolve("log"));
  }

  private String config(String services) {
    return "listen: {port: 0}\nadmin: {port: 0}\n" + services;
  }

  private String service(String name) {
    return "services: [{name: %s, endpoints: [\"127.0.0.1:%d\"]}]\n"
        .formatted(name, upstream.getAddress().getPort());
  }

  private String log() throws IOException {
    return process.log();
  }

  private HttpResponse<String> admin(String method, String path, String body) throws Exception {
    return admin(method, path, body, "");
  }

  private HttpResponse<String> admin(String method, String path, String body, String shown)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.admin() + path))
            .method(method, BodyPublishers.ofString(body))
            .header("Authorization", shown)
            .build(),
        BodyHandlers.ofString());
  }

  /** Status line of a request for a service. */
  private String ask(String name) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\nHost: "
                      + name
                      + ".service.orrery.localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .findFirst()
          .orElse("");
    }
  }

  @Test
  void itRoutesIsChangedByItsAdminPortAndKeepsTheLastTable() throws Exception {
    launch(service("first"));
    process.awaitReady();
    assertThat(ask("first")).contains("200");
    assertThat(admin("GET", "/health/ready", "").statusCode()).isEqualTo(200);

    HttpResponse<String> put = admin("PUT", "/api/v1/routes", service("second"));
    assertThat(put.statusCode()).isEqualTo(200);
    assertThat(ask("first")).contains("404");
    assertThat(ask("second")).contains("200");

    HttpResponse<String> refused =
        admin("PUT", "/api/v1/routes", "services:\n  - {name: a, split: \"b:120%\"}\n");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(Json.parse(refused.body()).at("/errors/0/pointer").asText())
        .isEqualTo("/services/0/split");
    assertThat(Json.parse(refused.body()).at("/errors/0/line").asInt()).isEqualTo(2);
    assertThat(ask("second")).contains("200");

    var shown = Json.parse(admin("GET", "/api/v1/routes", "").body());
    assertThat(shown.at("/services/0/name").asText()).isEqualTo("second");
    assertThat(shown.at("/services/0/state/endpoints/0/healthy").asBoolean()).isTrue();
    assertThat(admin("PUT", "/api/v1/routes", shown.toString()).statusCode()).isEqualTo(200);
    assertThat(admin("GET", "/metrics", "").body())
        .contains(
            "orrery_router_request_duration_seconds_count{service=\"second\",version=\"second\",code=\"2xx\"}"
                + " 2")
        .contains("orrery_router_refusals_total{reason=\"unknown_host\"} 1");

    // Without services in its file it starts with the last ones that it was given.
    process.kill();
    launch("");
    process.awaitReady();
    assertThat(ask("second")).contains("200");
  }

  @Test
  void hangupReadsTheFileAgainUnlessItIsWrong() throws Exception {
    launch(service("first"));
    process.awaitReady();

    Files.writeString(file, config("services: [{name: second, stage: nowhere}]\n"));
    process.signal("HUP");
    await().atMost(Duration.ofSeconds(10)).until(() -> log().contains("nothing was changed"));
    assertThat(log()).contains(file + ":3: /services/0/stage: stage is one of production");
    assertThat(ask("first")).contains("200");

    Files.writeString(file, config(service("second")));
    process.signal("HUP");
    await().atMost(Duration.ofSeconds(10)).until(() -> ask("second").contains("200"));
  }

  @Test
  void withATokenTheAdminPortTellsHealthAloneToOthers() throws Exception {
    BearerToken token = new BearerToken("orrery_of_the_operator");
    Files.writeString(
        file,
        "listen: {port: 0}\nadmin: {port: 0, sha256: %s}\n".formatted(token.sha256())
            + service("first"));
    process = RouteProcess.start(file, directory.resolve("log"));
    process.awaitReady();

    assertThat(admin("GET", "/health/ready", "").statusCode()).isEqualTo(200);
    for (String path : List.of("/metrics", "/api/v1/routes", "/other", "/health/ready/")) {
      for (String shown : List.of("", "Bearer ", "Bearer x", "Basic eDp5", token.text())) {
        HttpResponse<String> refused = admin("GET", path, "", shown);
        assertThat(refused.statusCode()).as(path + " with " + shown).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(refused.body()).doesNotContain("first");
      }
    }
    assertThat(admin("PUT", "/api/v1/routes", service("second"), "Bearer x").statusCode())
        .isEqualTo(401);
    String right = "Bearer " + token.text();
    assertThat(admin("GET", "/api/v1/routes", "", right).body()).contains("first");
    assertThat(admin("PUT", "/api/v1/routes", service("second"), right).statusCode())
        .isEqualTo(200);
    assertThat(admin("GET", "/metrics", "", right).statusCode()).isEqualTo(200);
  }

  /** E10: under nohup, which is how one starts it in the background. */
  @Test
  void whereHangupIsIgnoredItSaysSoAndHowElseATableIsChanged() throws Exception {
    Files.writeString(file, config(service("first")));
    process = RouteProcess.startIgnoring("HUP", file, directory.resolve("log"));
    process.awaitReady();

    await().atMost(Duration.ofSeconds(10)).until(() -> log().contains("SIGHUP is ignored"));
    String address = "http://127.0.0.1:" + process.admin() + "/api/v1/routes";
    assertThat(log()).contains(address, file.toString());
    assertThat(admin("PUT", "/api/v1/routes", service("second")).statusCode()).isEqualTo(200);
    assertThat(ask("second")).contains("200");
  }

  /** E10: who can be told by SIGHUP hears nothing of that. */
  @Test
  void whereHangupIsHeardNothingIsSaidOfIt() throws Exception {
    launch(service("first"));
    process.awaitReady();
    process.signal("HUP");
    await().atMost(Duration.ofSeconds(10)).until(() -> log().contains("was read again"));
    assertThat(log()).doesNotContain("SIGHUP");
  }

  /** E7: what is not UTF-8, and a key that is there twice, change nothing. */
  @Test
  void aTableThatIsNoTextIsRefusedAtTheAdminPort() throws Exception {
    launch(service("first"));
    process.awaitReady();

    HttpResponse<String> latin1 =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + process.admin() + "/api/v1/routes"))
                .method(
                    "PUT",
                    BodyPublishers.ofByteArray(
                        "# café\nservices: []".getBytes(StandardCharsets.ISO_8859_1)))
                .build(),
            BodyHandlers.ofString());
    assertThat(latin1.statusCode()).isEqualTo(400);
    assertThat(latin1.body()).contains("not UTF-8: byte 0xE9", "\"line\":1");
    HttpResponse<String> twice =
        admin("PUT", "/api/v1/routes", "{\"services\": [],\n\"services\": []}");
    assertThat(twice.statusCode()).isEqualTo(400);
    assertThat(twice.body()).contains("this key is here twice", "\"line\":2");
    assertThat(ask("first")).contains("200");
  }

  /** E11. */
  @Test
  void theAdminPortIsFoundUnderTheNameWithTheDotOfTheRoot() throws Exception {
    launch(service("first"));
    process.awaitReady();

    for (String host : List.of("localhost.", "LOCALHOST", "127.0.0.1", "evil.example.")) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.admin())) {
        socket
            .getOutputStream()
            .write(
                ("GET /api/v1/routes HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
                        .formatted(host, process.admin()))
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith(host.startsWith("evil") ? "HTTP/1.1 403" : "HTTP/1.1 200");
      }
    }
  }

  @Test
  void termLetsWhatIsUnderWayEndAndExitsWithZero() throws Exception {
    launch(service("first"));
    process.awaitReady();
    hold = new CountDownLatch(1);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.port())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: first.service.orrery.localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() ->
              Json.parse(admin("GET", "/api/v1/routes", "").body())
                      .at("/services/0/state/inFlight")
                      .asInt()
                  == 1);
      process.signal("TERM");
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> admin("GET", "/health/ready", "").statusCode() == 503);
      hold.countDown();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("hello");
    }
    assertThat(process.exitCode()).isZero();
  }

  @Test
  void aWrongFileIsRefusedWithItsPlaces() throws Exception {
    launch("services:\n  - {name: a, split: \"b:20%\"}\n  - {name: a}\n");

    assertThat(process.exitCode()).isEqualTo(2);
    assertThat(log())
        .contains(file + ":4: /services/0/split: there is no service b")
        .contains(file + ":5: /services/1/name: the service a is here twice");
  }
}
