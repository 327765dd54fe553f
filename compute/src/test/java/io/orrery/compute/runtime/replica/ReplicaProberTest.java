package io.orrery.compute.runtime.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.workload.Probe;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends probes to servers that answer well, otherwise, late, or not at all. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ReplicaProberTest {
  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final ReplicaProber prober = new ReplicaProber();

  @AfterEach
  void close() throws Exception {
    await(prober.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(40, TimeUnit.SECONDS);
  }

  private static Probe get(Duration timeout) {
    return new Probe("http", "/health?a=b", INTERVAL, timeout);
  }

  private static Probe connect(Duration timeout) {
    return new Probe("http", null, INTERVAL, timeout);
  }

  /** A server of one connection: it writes pieces, then closes, or not. */
  private static final class Server implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CompletableFuture<String> request = new CompletableFuture<>();

    Server(boolean closes, String... pieces) throws IOException {
      Thread.ofVirtual()
          .start(() -> {
            try {
              Socket connection = socket.accept();
              StringBuilder head = new StringBuilder();
              InputStream in = connection.getInputStream();
              while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
              }
              for (String piece : pieces) {
                connection.getOutputStream().write(piece.getBytes(StandardCharsets.US_ASCII));
                connection.getOutputStream().flush();
                // So that it comes as a packet of its own.
                Thread.yield();
              }
              if (closes) {
                connection.close();
              }
              request.complete(head.toString());
            } catch (IOException e) {
              request.completeExceptionally(e);
            }
          });
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private @Nullable String outcome(String... pieces) throws Exception {
    try (Server server = new Server(true, pieces)) {
      await(prober.send(get(LONG), "127.0.0.1", server.port()));
      return null;
    } catch (ExecutionException e) {
      return e.getCause().getMessage().replaceFirst("port \\d+", "port N");
    }
  }

  @Test
  void answersOf200To399AreGood() throws Exception {
    assertThat(outcome("HTTP/1.1 200 OK\r\n\r\n")).isNull();
    assertThat(outcome("HTTP/1.0 399\r\nA: b\r\n\r\nbody")).isNull();
    assertThat(outcome("HT", "TP/1.1 2", "04 No Content\r", "\n\r\n")).isNull();
    assertThat(outcome("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"))
        .isNull();
    assertThat(outcome("HTTP/1.1 503 Starting\r\n\r\n"))
        .isEqualTo("GET /health?a=b on port N: it answered 503");
    assertThat(outcome("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n"))
        .endsWith("it answered 404");
  }

  @Test
  void whatIsNoAnswerIsSaid() throws Exception {
    assertThat(outcome("SSH-2.0-OpenSSH_9\r\n")).endsWith("its answer is no HTTP");
    assertThat(outcome("HTTP/1.1 100 Continue\r\nA: " + "a".repeat(9_000)))
        .endsWith("its answer is no HTTP");
    assertThat(outcome()).endsWith("the connection was closed without an answer");
  }

  @Test
  void itAsksForThePathWithTheHostAndNothingMore() throws Exception {
    try (Server server = new Server(true, "HTTP/1.1 200 OK\r\n\r\n")) {
      await(prober.send(get(LONG), "127.0.0.1", server.port()));

      assertThat(server.request.get(30, TimeUnit.SECONDS))
          .isEqualTo(
              "GET /health?a=b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n"
                  .formatted(server.port()));
    }
  }

  @Test
  void aProbeWithoutAPathIsAConnection() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
      await(prober.send(connect(LONG), "127.0.0.1", port));
    }

    assertThatThrownBy(() -> await(prober.send(connect(LONG), "127.0.0.1", port)))
        .hasMessageContaining("no connection to port " + port + ": nothing listens there");
  }

  @Test
  void oneThatDoesNotAnswerIsGivenUpAndHoldsUpNoOther() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Server server = new Server(false, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")) {
      Future<Void> late =
          prober.send(get(Duration.ofMillis(300)), "127.0.0.1", silent.getLocalPort());
      List<Future<Void>> waiting = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        waiting.add(prober.send(get(LONG), "127.0.0.1", silent.getLocalPort()));
      }

      await(prober.send(get(LONG), "127.0.0.1", server.port()));

      assertThatThrownBy(() -> await(late)).hasMessageContaining("no answer within 300 ms");
      assertThat(waiting).noneMatch(Future::isComplete);
      await(prober.close());
      assertThat(waiting).allMatch(Future::failed);
      assertThatThrownBy(() -> await(prober.send(get(LONG), "127.0.0.1", server.port())))
          .hasMessageContaining("the server is closing");
    }
  }

  @Test
  void onlyAnAnswerCountsAsOne() throws Exception {
    assertThat(ReplicaProber.isAnswer(new IOException("reset"))).isFalse();
    try (Server server = new Server(true, "HTTP/1.1 500 Broken\r\n\r\n")) {
      assertThatThrownBy(() -> await(prober.send(get(LONG), "127.0.0.1", server.port())))
          .isInstanceOfSatisfying(
              ExecutionException.class,
              failed -> assertThat(ReplicaProber.isAnswer(failed.getCause())).isTrue());
    }
  }
}
