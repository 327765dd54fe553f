package io.orrery.journeys.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The serving router of a server: its port, its table, what outlives the server. */
class RouterIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path home;
  private final HttpClient client = HttpClient.newHttpClient();
  private Process process;

  @AfterEach
  void stop() {
    client.close();
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  private void up(String... flags) throws IOException {
    Files.deleteIfExists(home.resolve("server.json"));
    List<String> arguments =
        new ArrayList<>(List.of("up", "--home", home.toString(), "--port", "0"));
    arguments.addAll(List.of(flags));
    process =
        new ProcessBuilder(ServerProcess.command(arguments.toArray(String[]::new)))
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("log").toFile())
            .start();
  }

  private String log() throws IOException {
    return Files.readString(home.resolve("log"));
  }

  private int routerPort() {
    await().atMost(PATIENCE).until(() -> READY.matcher(log()).find());
    try {
      Matcher ready = READY.matcher(log());
      assertThat(ready.find()).isTrue();
      return Integer.parseInt(ready.group(1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> routes(String method, String body) throws Exception {
    await().atMost(PATIENCE).until(() -> Files.exists(home.resolve("server.json")));
    var server = Json.parse(Files.readString(home.resolve("server.json")));
    return client.send(
        HttpRequest.newBuilder(URI.create(server.get("url").asText() + "/api/v1/routes"))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static String statusLine(int port, String service) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\nHost: "
                      + service
                      + ".service.orrery.localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .findFirst()
          .orElse("");
    }
  }

  @Test
  void aTableThatWasPutIsInForceAndOutlivesKillMinusNine() throws Exception {
    up("--router-port", "0");
    int port = routerPort();
    assertThat(statusLine(port, "a")).contains("404");

    assertThat(routes("PUT", "services: [{name: a}]").statusCode()).isEqualTo(200);
    assertThat(statusLine(port, "a")).contains("503");
    assertThat(routes("PUT", "services: [{name: a, split: \"b:1%\"}]").statusCode()).isEqualTo(400);

    process.destroyForcibly().onExit().join();
    up("--router-port", "0");
    assertThat(statusLine(routerPort(), "a")).contains("503");
    assertThat(Json.parse(routes("GET", "").body()).at("/services/0/name").asText()).isEqualTo("a");
  }

  @Test
  void aBusyPortIsAWarningUnlessItWasAskedForByFlag() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Files.writeString(home.resolve("orrery.yml"), "router: {port: " + port + "}\n");
      up();
      await().atMost(PATIENCE).until(() -> log().contains("port " + port + " is taken"));
      assertThat(routes("GET", "").statusCode()).isEqualTo(409);
      assertThat(process.isAlive()).isTrue();
      process.destroyForcibly().onExit().join();

      up("--router-port", port);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
      assertThat(log()).contains("port " + port + " is taken");
    }
  }
}
