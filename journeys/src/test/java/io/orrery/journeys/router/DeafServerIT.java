package io.orrery.journeys.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a server that can accept no connection any more (E1), as a process. It takes the files
 * of the process away when it runs, which no limit of its own can foresee, and holds connections
 * whose requests are at work, which are never idle. It waits for the minutes that a server is
 * given.
 */
@Timeout(400)
@EnabledOnOs(OS.LINUX)
@EnabledIfSystemProperty(named = "orrery.deaf", matches = "true")
class DeafServerIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+)");

  /** Files that the process may open beside those that it has open when it is ready. */
  private static final int MORE_FILES = 60;

  @TempDir Path home;
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void theRouterOfAServerThatCanAcceptNoClientClosesItsPortAndTheServerGoesOn() throws Exception {
    try (ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready()) {
      await().atMost(Duration.ofSeconds(60)).until(() -> READY.matcher(server.log()).find());
      Matcher ready = READY.matcher(server.log());
      assertThat(ready.find()).isTrue();
      InetSocketAddress router = loopback(Integer.parseInt(ready.group(1)));
      // Each request waits for an endpoint, and takes no file beside that of its connection.
      String table =
          "services: [{name: a, endpoints: [], hold: {requests: 1000, for: 300s}, timeout: {total: 600s}}]";
      assertThat(server.send("PUT", "/routes", BodyPublishers.ofString(table)).statusCode())
          .isEqualTo(200);
      limitFiles(server.pid());

      hold(router, "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");

      await()
          .atMost(Duration.ofSeconds(110))
          .until(() -> server.log().contains("could not serve requests at port"));
      assertThat(server.log()).contains("no connection was accepted at");
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> assertThatThrownBy(() -> connect(router)).isInstanceOf(ConnectException.class));
      assertThat(server.get("/experiments").path("items")).isEmpty();
    }
  }

  @Test
  void aServerThatCanAcceptNoClientAtItsApiEndsWithExitCode3() throws Exception {
    try (ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "off"), Map.of())
            .ready()) {
      limitFiles(server.pid());

      hold(
          loopback(server.url().getPort()),
          "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(server.ended(Duration.ofSeconds(200))).as(server.log()).isEqualTo(3);
      assertThat(server.log())
          .contains(
              "orrery: could not serve requests any more: no connection was accepted at 127.0.0.1:"
                  + server.url().getPort()
                  + " for 120 s, although one was tried; ending with exit code 3");
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** More connections than the process has files for; the rest wait in the queue of the port. */
  private void hold(InetSocketAddress port, String request) throws IOException {
    for (int i = 0; i < 2 * MORE_FILES; i++) {
      Socket client = new Socket();
      open.add(client);
      client.connect(port);
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void connect(InetSocketAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address, 5_000);
    }
  }

  private static void limitFiles(long pid) throws Exception {
    long files;
    try (Stream<Path> each = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      files = each.count();
    }
    String limit = Long.toString(files + MORE_FILES);
    Process prlimit =
        new ProcessBuilder("prlimit", "--pid", "" + pid, "--nofile=" + limit + ":" + limit)
            .inheritIO()
            .start();
    assertThat(prlimit.waitFor()).isZero();
  }
}
