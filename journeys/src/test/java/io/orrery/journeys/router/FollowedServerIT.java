package io.orrery.journeys.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A router alone that follows the table of a server. */
class FollowedServerIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+),");
  private static final int CHANGES = 30;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;
  private final List<Process> routers = new ArrayList<>();

  @AfterEach
  void stop() {
    routers.forEach(router -> router.destroyForcibly().onExit().join());
  }

  private int route(String url) throws IOException {
    return route(url, "routes");
  }

  /** Begins a router with files of its own. */
  private int route(String url, String name) throws IOException {
    Path file = Files.createDirectories(temp.resolve(name)).resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0}\nadmin: {port: 0}\nservices: [{name: own}]\n");
    Path log = file.resolveSibling("router.log");
    routers.add(
        new ProcessBuilder(
                ServerProcess.command("route", "--config", file.toString(), "--follow", url))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start());
    await().atMost(PATIENCE).until(() -> READY.matcher(Files.readString(log)).find());
    Matcher ready = READY.matcher(Files.readString(log));
    assertThat(ready.find()).isTrue();
    return Integer.parseInt(ready.group(1));
  }

  static boolean knows(int port, String service) throws IOException {
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
    routers.clear();

    int again = route(url);
    assertThat(knows(again, "second")).isTrue();
    assertThat(knows(again, "own")).isTrue();
  }

  @Test
  void certificatesForAServerThatIsAskedWithoutTlsAreRefused() throws Exception {
    Path file = temp.resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0}\nadmin: {port: 0}\nfollow: {authority: ca.pem}\n");

    Process router =
        new ProcessBuilder(
                ServerProcess.command(
                    "route", "--config", file.toString(), "--follow", "http://127.0.0.1:1"))
            .redirectErrorStream(true)
            .start();
    routers.add(router);
    String said = new String(router.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(router.waitFor()).isEqualTo(2);
    assertThat(said).contains("/follow", "name the server by https://");
  }

  private static boolean isQuick(Duration time) {
    return time.compareTo(SECOND) < 0;
  }

  /** One of some changes, because other programs of this machine may be busy. */
  @Test
  @Timeout(180)
  void aChangeReachesThreeRoutersWithinASecond() throws Exception {
    Path home = Files.createDirectories(temp.resolve("home"));
    try (ServerProcess server =
            ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of())
                .ready();
        ServerUsers user = new ServerUsers(server)) {
      List<Integer> ports = new ArrayList<>();
      for (String name : List.of("one", "two", "three")) {
        ports.add(route(server.url().toString(), name));
      }
      List<Duration> times = new ArrayList<>();
      for (int i = 0; i < CHANGES && times.stream().noneMatch(FollowedServerIT::isQuick); i++) {
        String service = "change-" + i;
        long begun = System.nanoTime();
        await()
            .atMost(PATIENCE)
            .until(() ->
                user.send(null, "PUT", "/api/v1/routes", "services: [{name: " + service + "}]")
                        .status()
                    == 200);
        for (int port : ports) {
          await()
              .pollInterval(Duration.ofMillis(10))
              .atMost(PATIENCE)
              .until(() -> knows(port, service));
        }
        times.add(Duration.ofNanos(System.nanoTime() - begun));
      }
      System.out.printf("changes were at three routers after %s%n", times);
      assertThat(times).anyMatch(FollowedServerIT::isQuick);
    }
  }
}
