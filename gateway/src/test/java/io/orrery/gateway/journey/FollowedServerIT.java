package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router alone that follows the table of a server. */
class FollowedServerIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+),");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;
  private Process router;

  @AfterEach
  void stop() {
    if (router != null) {
      router.destroyForcibly().onExit().join();
    }
  }

  private int route(String url) throws IOException {
    Path file = temp.resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0}\nadmin: {port: 0}\nservices: [{name: own}]\n");
    Path log = temp.resolve("router.log");
    router =
        new ProcessBuilder(
                ServerProcess.command("route", "--config", file.toString(), "--follow", url))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await().atMost(PATIENCE).until(() -> READY.matcher(Files.readString(log)).find());
    Matcher ready = READY.matcher(Files.readString(log));
    assertThat(ready.find()).isTrue();
    return Integer.parseInt(ready.group(1));
  }

  private static boolean knows(int port, String service) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\nHost: "
                      + service
                      + ".service.orrery.localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      // One without an endpoint is known, and answers 503.
      return answer.startsWith("HTTP/1.1 503");
    }
  }

  @Test
  void theTableOfTheServerIsServedBesideThatOfTheFileAndOutlivesTheServer() throws Exception {
    Path home = Files.createDirectories(temp.resolve("home"));
    String url;
    int port;
    try (ServerProcess server =
            ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of())
                .ready();
        ServerUsers user = new ServerUsers(server)) {
      url = server.url().toString();
      await()
          .atMost(PATIENCE)
          .until(() ->
              user.send(null, "PUT", "/api/v1/routes", "services: [{name: first}]").status()
                  == 200);
      int following = route(url);
      await().atMost(PATIENCE).until(() -> knows(following, "first"));
      assertThat(knows(following, "own")).isTrue();

      assertThat(user.send(null, "PUT", "/api/v1/routes", "services: [{name: second}]").status())
          .isEqualTo(200);

      await().atMost(PATIENCE).until(() -> knows(following, "second"));
      assertThat(knows(following, "first")).isFalse();
      port = following;
    }
    assertThat(knows(port, "second")).isTrue();

    stop();

    int again = route(url);
    assertThat(knows(again, "second")).isTrue();
    assertThat(knows(again, "own")).isTrue();
  }
}
