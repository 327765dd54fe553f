package io.orrery.router.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the end of a process that is alive and serves no client (E1). */
class DeafRouterIT {
  private static final int FILES = 600;

  @TempDir Path directory;
  private final List<Socket> clients = new ArrayList<>();
  private RouteProcess process;

  @AfterEach
  void close() throws Exception {
    for (Socket client : clients) {
      client.close();
    }
    process.kill();
  }

  private void start(String limits) throws IOException {
    Path file = directory.resolve("routes.yml");
    Files.writeString(
        file, "listen: {port: 0, loops: 1, limits: {" + limits + "}}\nadmin: {port: 0}\n");
    process =
        RouteProcess.startWithFiles(
            FILES, Duration.ofSeconds(6), file, directory.resolve("route.log"));
    process.awaitReady();
    // As many as the queue of the port holds beside those that it has files for.
    for (int i = 0; i < FILES; i++) {
      Socket client = new Socket();
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), process.port()));
      clients.add(client);
    }
  }

  /** A limit above what the system allows lets clients take all files. */
  @Test
  void aProcessThatCanAcceptNoConnectionEndsWithExitCode3() throws Exception {
    start("connections: 10000, connectionsPerClient: 10000");

    assertThat(process.exitCode()).isEqualTo(3);
    assertThat(process.log())
        .contains(
            "orrery: could not serve requests any more: no connection was accepted at 127.0.0.1:"
                + process.port()
                + " for 6 s, although one was tried; ending with exit code 3");
  }

  /** Without a limit of its own a router leaves itself half of the files that it may open. */
  @Test
  void clientsCannotTakeAllFiles() throws Exception {
    start("");
    clients.getFirst().setSoTimeout(20_000);
    clients.getLast().setSoTimeout(20_000);

    // The last one was closed at once; the first one is served.
    assertThat(clients.getLast().getInputStream().read()).isEqualTo(-1);
    clients
        .getFirst()
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: none.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(clients.getFirst().getInputStream().readNBytes(12)).asString().endsWith(" 404");
    assertThat(process.alive()).isTrue();
  }

  /** Time in which the process was stopped is no time in which it failed to serve. */
  @Test
  void aProcessThatWasStoppedForAWhileGoesOn() throws Exception {
    Path file = directory.resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0, loops: 1}\nadmin: {port: 0}\n");
    process =
        RouteProcess.startWithFiles(
            FILES, Duration.ofSeconds(6), file, directory.resolve("route.log"));
    process.awaitReady();
    process.signal("STOP");
    await().pollDelay(Duration.ofSeconds(9)).until(process::alive);
    process.signal("CONT");

    for (int i = 0; i < 3; i++) {
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), process.port())) {
        client.setSoTimeout(20_000);
        client
            .getOutputStream()
            .write("GET / HTTP/1.1\r\nHost: none\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.getInputStream().readNBytes(12)).asString().endsWith(" 404");
      }
      await().pollDelay(Duration.ofSeconds(1)).until(process::alive);
    }
  }
}
