package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests that requests which take too long close their connections. */
class VertxHttpTimeoutTest extends VertxHttpFixture {
  /**
   * A server that does not answer. One future completes when a request comes, the other when its
   * connection is closed.
   */
  private record Silence(CompletableFuture<Void> requested, CompletableFuture<Void> closed) {
    Silence() {
      this(new CompletableFuture<>(), new CompletableFuture<>());
    }

    void keep(HttpServerRequest request) {
      request.connection().closeHandler(closed::complete);
      requested.complete(null);
    }
  }

  @Test
  void aRequestThatTimesOutClosesItsConnection() throws Exception {
    Silence silence = new Silence();
    int port = server(new HttpServerOptions(), silence::keep);

    try (VertxHttp http = patient(Duration.ofMinutes(1))) {
      giveUp(http, "http", port, silence.requested);
      silence.closed.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void anAnswerThatTimesOutClosesItsConnection() throws Exception {
    Silence silence = new Silence();
    int port =
        server(
            new HttpServerOptions(),
            request -> {
              request.response().setChunked(true).write("{");
              silence.keep(request);
            });

    try (VertxHttp http = patient(Duration.ofMinutes(1))) {
      giveUp(http, "http", port, silence.requested);
      silence.closed.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aRequestThatTimesOutBeforeThereIsAConnectionIsNotSent() throws Exception {
    Queue<String> asked = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> connected = new CompletableFuture<>();
    int port =
        vertx
            .createHttpServer(secure(ClientAuth.NONE))
            .connectionHandler(connection -> connected.complete(null))
            .requestHandler(request -> {
              asked.add(request.path());
              request.response().end("{}");
            })
            .listen(0, "localhost")
            .await(10, TimeUnit.SECONDS)
            .actualPort();
    CompletableFuture<Void> accepted = new CompletableFuture<>();
    CompletableFuture<Void> open = new CompletableFuture<>();

    try (ServerSocket door = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        VertxHttp http = patient(Duration.ofMinutes(1))) {
      Thread.ofVirtual().start(() -> relay(door, port, accepted, open));
      giveUp(http, "https", door.getLocalPort(), accepted);
      open.complete(null);
      connected.get(10, TimeUnit.SECONDS);
      assertThat(send(http, "https", door.getLocalPort(), "/later", Duration.ofSeconds(10)).code())
          .isEqualTo(200);
    }
    assertThat(asked).containsExactly("/later");
  }

  /** Connects each client to a server, as soon as {@code open} is completed. */
  private static void relay(
      ServerSocket door, int port, CompletableFuture<Void> accepted, CompletableFuture<Void> open) {
    while (true) {
      try {
        Socket here = door.accept();
        accepted.complete(null);
        Thread.ofVirtual().start(() -> relay(here, port, open));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void relay(Socket from, int port, CompletableFuture<Void> open) {
    try (Socket here = from) {
      open.join();
      try (Socket there = new Socket("localhost", port)) {
        Thread back = Thread.ofVirtual().start(() -> pass(there, here));
        pass(here, there);
        back.join();
      }
    } catch (IOException over) {
      // The client sees that its connection is closed.
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aRequestThatTheLibraryCancelsClosesItsConnection() throws Exception {
    Silence silence = new Silence();
    int port = server(new HttpServerOptions(), silence::keep);

    try (VertxHttp http = patient(Duration.ofMinutes(1))) {
      CompletableFuture<?> answer =
          http.consumeBytesDirect(streaming(port), (pieces, body) -> body.consume());
      silence.requested.get(10, TimeUnit.SECONDS);
      answer.cancel(false);
      silence.closed.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void aStreamThatDoesNotBeginClosesItsConnection() throws Exception {
    Silence silence = new Silence();
    int port = server(new HttpServerOptions(), silence::keep);

    try (VertxHttp http = patient(Duration.ofMillis(500))) {
      do {
        CompletableFuture<?> answer =
            http.consumeBytes(streaming(port), (pieces, body) -> body.consume());
        assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class);
      } while (!silence.requested.isDone());
      silence.closed.get(10, TimeUnit.SECONDS);
    }
  }

  /** Sends requests that time out, until one has come to the server. */
  private static void giveUp(
      VertxHttp http, String scheme, int port, CompletableFuture<Void> accepted) {
    do {
      assertThatThrownBy(() -> send(http, scheme, port, "/", Duration.ofMillis(500)))
          .isInstanceOf(TimeoutException.class);
    } while (!accepted.isDone());
  }

  private static ApiAnswer send(
      VertxHttp http, String scheme, int port, String path, Duration patience) throws Exception {
    URI server = URI.create(scheme + "://localhost:" + port);
    return http.send("GET", server, path, null, Buffer.buffer(), patience);
  }

  private static StandardHttpRequest streaming(int port) {
    StandardHttpRequest.Builder request = new StandardHttpRequest.Builder();
    request.uri("http://localhost:" + port + "/").forStreaming();
    return request.build();
  }

  /** A client that trusts every server, and pings no connection while a test runs. */
  private VertxHttp patient(Duration patience) {
    return new VertxHttp.Factory(vertx, false, Duration.ofMinutes(10))
        .open(
            new ConfigBuilder()
                .withTrustCerts(true)
                .withRequestTimeout((int) patience.toMillis())
                .withRequestRetryBackoffLimit(0)
                .build());
  }
}
