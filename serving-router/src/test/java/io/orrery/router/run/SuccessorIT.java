package io.orrery.router.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a process takes over the port of another one that is told to end, without a failed
 * request.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class SuccessorIT {
  private static final int CLIENTS = 8;
  private static final int GENERATIONS = 3;

  /** Between two requests of a client: the machine is to be busy with processes, not with these. */
  private static final Duration PAUSE = Duration.ofMillis(2);

  @TempDir Path directory;
  private final List<RouteProcess> processes = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private HttpServer upstream;

  @AfterEach
  void stop() throws InterruptedException {
    over.set(true);
    for (RouteProcess process : processes) {
      process.kill();
    }
    if (upstream != null) {
      upstream.stop(0);
    }
  }

  @Test
  void noRequestIsLostWhenOneProcessSucceedsTheOther() throws Exception {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
          exchange.close();
        });
    upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    upstream.start();
    int port = freePort();
    Path config = directory.resolve("routes.yml");
    Files.writeString(
        config,
        """
        listen: {port: %d, reusePort: true}
        admin: {port: %d}
        services: [{name: a, endpoints: ["127.0.0.1:%d"]}]
        """
            .formatted(port, freePort(), upstream.getAddress().getPort()));
    launch(config);

    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      boolean keepsConnection = i % 2 == 0;
      clients.add(Thread.ofVirtual().start(() -> askOn(port, keepsConnection)));
    }
    for (int generation = 1; generation < GENERATIONS; generation++) {
      RouteProcess old = processes.getLast();
      launch(config);
      old.signal("TERM");
      assertThat(old.exitCode()).isZero();
      int before = answered.get();
      await().atMost(Duration.ofSeconds(10)).until(() -> answered.get() > before + 10 * CLIENTS);
    }
    over.set(true);
    for (Thread client : clients) {
      client.join();
    }

    assertThat(failures).isEmpty();
    assertThat(processes)
        .allSatisfy(
            process -> assertThat(process.log()).doesNotContain("new connections are shared"));
  }

  private void launch(Path config) throws IOException {
    processes.add(RouteProcess.start(config, directory.resolve("log" + processes.size())));
    processes.getLast().awaitReady();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** One request after the other, of a kind that no client and no proxy may send twice. */
  private void askOn(int port, boolean keepsConnection) {
    Socket socket = null;
    try {
      while (!over.get()) {
        if (socket == null) {
          socket = new Socket(InetAddress.getLoopbackAddress(), port);
          socket.setSoTimeout(10_000);
        }
        String head = ask(socket, keepsConnection);
        if (!head.startsWith("HTTP/1.1 200")) {
          failures.add(head.isEmpty() ? "no answer" : head);
        }
        answered.incrementAndGet();
        if (!keepsConnection || head.contains("connection: close") || head.isEmpty()) {
          socket.close();
          socket = null;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (IOException e) {
      failures.add(e.toString());
    } finally {
      close(socket);
    }
  }

  private static void close(Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The head of the answer in lower case but for its first line; empty when there is none. */
  private static String ask(Socket socket, boolean keepsConnection) throws IOException {
    String connection = keepsConnection ? "" : "Connection: close\r\n";
    socket
        .getOutputStream()
        .write(
            ("POST / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n"
                    + connection
                    + "Content-Length: 2\r\n\r\nhi")
                .getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\nok") < 0) {
      int next = in.read();
      if (next < 0) {
        return answer.isEmpty() ? "" : "cut off: " + answer;
      }
      answer.append((char) next);
    }
    return answer.toString();
  }
}
