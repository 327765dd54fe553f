package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of the end of a server's router that can accept no connection any more (E1), as a process:
 * {@code orrery up} says so, closes the router's port, and goes on serving its API. It waits for
 * the minute that the router is given.
 */
@EnabledOnOs(OS.LINUX)
@EnabledIfSystemProperty(named = "orrery.deaf", matches = "true")
class DeafServerIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+)");

  /** Files that the process may open beside those that it has open when it is ready. */
  private static final int MORE_FILES = 300;

  @TempDir Path home;
  private final List<Socket> clients = new ArrayList<>();

  @Test
  void theRouterOfAServerThatCanAcceptNobodyClosesItsPortAndTheServerGoesOn() throws Exception {
    try (ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready()) {
      await().atMost(Duration.ofSeconds(60)).until(() -> READY.matcher(server.log()).find());
      Matcher ready = READY.matcher(server.log());
      assertThat(ready.find()).isTrue();
      InetSocketAddress router =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ready.group(1)));
      assertThat(server.get("/experiments").path("items")).isEmpty();
      limitFiles(server.pid());
      // More than the process has files for; the rest wait in the queue of the port.
      for (int i = 0; i < 2 * MORE_FILES; i++) {
        Socket client = new Socket();
        clients.add(client);
        client.connect(router);
      }

      await()
          .atMost(Duration.ofSeconds(150))
          .until(() -> server.log().contains("could not serve requests at port"));

      assertThat(server.log()).contains("no connection was accepted at");
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThatThrownBy(() -> connect(router)).isInstanceOf(ConnectException.class));
      assertThat(server.get("/experiments").path("items")).isEmpty();
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  private static void connect(InetSocketAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address, 5_000);
    }
  }

  private static void limitFiles(long pid) throws Exception {
    long open;
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      open = files.count();
    }
    String limit = Long.toString(open + MORE_FILES);
    Process prlimit =
        new ProcessBuilder("prlimit", "--pid", "" + pid, "--nofile=" + limit + ":" + limit)
            .inheritIO()
            .start();
    assertThat(prlimit.waitFor()).isZero();
  }
}
