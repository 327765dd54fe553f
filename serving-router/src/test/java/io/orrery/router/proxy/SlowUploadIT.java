package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of the slowest that the body of a request may come (E2): 500 bytes a second, over half a
 * minute, by a clock that the test moves.
 */
class SlowUploadIT extends ClockedRouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final Duration WINDOW = Duration.ofSeconds(31);

  /** Bytes of bodies that the endpoint has. */
  private final AtomicLong read = new AtomicLong();

  private final AtomicInteger answered = new AtomicInteger();

  /** An endpoint that reads bodies and answers behind their end. */
  private Upstream reading() throws Exception {
    return opened(
        Upstream.start(
            vertx,
            request ->
                request
                    .handler(piece -> read.addAndGet(piece.length()))
                    .endHandler(end -> {
                      answered.incrementAndGet();
                      request.response().end("read");
                    })));
  }

  private static <T> CompletableFuture<T> later(Callable<T> action) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return action.call();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 1000\r\n",
        "Content-Length: 1000000\r\n",
        "Transfer-Encoding: chunked\r\n"
      })
  void aBodyThatTricklesIsRefused(String framing) throws Exception {
    start(reading());
    String piece = framing.startsWith("T") ? "1\r\nx\r\n" : "x";

    try (RawClient raw = new RawClient(port)) {
      raw.write("POST / HTTP/1.1\r\n" + HOST + framing + "\r\n");
      CompletableFuture<String> answer = later(raw::answer);
      await()
          .atMost(15, SECONDS)
          .until(() -> {
            if (!answer.isDone()) {
              raw.write(piece);
              pass(Duration.ofSeconds(5));
            }
            return answer.isDone();
          });

      assertThat(answer.join())
          .startsWith("HTTP/1.1 408")
          .contains("less than 500 bytes a second, over 30 s")
          .containsIgnoringCase("\r\nconnection: close\r\n");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(answered).hasValue(0);
  }

  /** Of HTTP/2 the stream ends; there may be others on its connection. */
  @Test
  void aStreamWhoseBodyTricklesEndsAlone() throws Exception {
    start(reading());

    try (FrameClient client = new FrameClient(port).greet()) {
      client.frame(HEADERS, END_HEADERS, 1, FrameClient.head("POST"));
      CompletableFuture<String> answer = later(() -> client.answered(1));
      await()
          .atMost(15, SECONDS)
          .until(() -> {
            if (!answer.isDone()) {
              client.frame(DATA, 0, 1, (byte) 1);
              pass(Duration.ofSeconds(5));
            }
            return answer.isDone();
          });

      assertThat(answer.join()).as("408").isEqualTo("another");
      assertThat(client.answered(1)).isEqualTo("error 0");
      assertThat(client.ask(3).answered(3)).isEqualTo("200");
    }
  }

  /** Half uploads do not keep an endpoint from other clients for a whole window. */
  @Test
  void aHalfUploadGivesItsConnectionToARequestThatWaits() throws Exception {
    start(reading().address(), "http1", ", limits: {connections: 1, pending: 10}");

    try (RawClient slow = new RawClient(port);
        RawClient other = new RawClient(port)) {
      slow.write("POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
      await().atMost(10, SECONDS).until(() -> read.get() == 1);
      pass(Duration.ofSeconds(5));
      ticks(3);
      CompletableFuture<String> refused = later(slow::answer);
      assertThat(refused).as("no request waits yet").isNotDone();

      other.write("GET / HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(refused.get(10, SECONDS))
          .startsWith("HTTP/1.1 408")
          .contains("less than 500 bytes a second, over 2 s");
      assertThat(other.answer()).startsWith("HTTP/1.1 200");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {60_000, 200_000})
  void aBodyThatIsSlowButNotTooSlowIsWhole(int length) throws Exception {
    start(reading());

    try (RawClient raw = new RawClient(port)) {
      raw.write("POST / HTTP/1.1\r\n" + HOST + "Content-Length: " + length + "\r\n\r\n");
      for (int sent = 0; sent < length; sent += 20_000) {
        raw.write("x".repeat(20_000));
        if (length > Upload.WHOLE_BYTES) {
          int all = sent + 20_000;
          await().atMost(10, SECONDS).until(() -> read.get() == all);
        }
        pass(Duration.ofSeconds(25));
      }
      assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("read");
    }
  }

  /** An endpoint that takes its time is no fault of the client. */
  @Test
  void aClientThatWaitsForItsEndpointIsNotBlamed() throws Exception {
    CompletableFuture<HttpServerRequest> asked = new CompletableFuture<>();
    start(
        opened(
            Upstream.start(
                vertx,
                request -> {
                  request.pause();
                  asked.complete(request);
                })));
    int length = 16 << 20;

    try (RawClient raw = new RawClient(port)) {
      CompletableFuture<RawClient> sent =
          later(() ->
              raw.write(
                  "POST / HTTP/1.1\r\n"
                      + HOST
                      + "Content-Length: "
                      + length
                      + "\r\n\r\n"
                      + "x".repeat(length)));
      HttpServerRequest request = asked.get(10, SECONDS);
      // What a wrong judgement would take: some ticks, in each of which more than a window passes.
      for (int i = 0; i < 10; i++) {
        pass(WINDOW);
        ticks(3);
      }
      assertThat(sent).isNotDone();

      vertx.runOnContext(go ->
          request
              .handler(piece -> read.addAndGet(piece.length()))
              .endHandler(end -> request.response().end("read"))
              .resume());
      assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("read");
      assertThat(read).hasValue(length);
    }
  }

  /** What is quiet by its nature: tunnels, streams of answers, calls of gRPC. */
  @Test
  void aTunnelMayBeQuiet() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head ->
                head.startsWith("GET ")
                    ? "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                        + "Upgrade: x\r\n\r\n"
                    : "pong"));
    start(endpoint.address(), "http1");

    try (RawClient raw = new RawClient(port)) {
      raw.write("GET / HTTP/1.1\r\n" + HOST + "Connection: Upgrade\r\nUpgrade: x\r\n\r\n");
      assertThat(raw.head()).startsWith("HTTP/1.1 101");
      pass(WINDOW);
      ticks(3);
      pass(WINDOW);
      ticks(3);
      assertThat(raw.write("ping\r\n\r\n").some(4)).isEqualTo("pong");
    }
  }

  @Test
  void aStreamOfEventsMayBeQuiet() throws Exception {
    CompletableFuture<HttpServerResponse> events = new CompletableFuture<>();
    start(
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .body()
                        .onSuccess(body -> {
                          request
                              .response()
                              .putHeader("Content-Type", "text/event-stream")
                              .setChunked(true)
                              .writeHead();
                          events.complete(request.response());
                        }))));

    try (RawClient raw = new RawClient(port)) {
      raw.write("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello");
      assertThat(raw.head()).contains("text/event-stream");
      for (int i = 0; i < 2; i++) {
        pass(WINDOW);
        ticks(3);
      }
      events.get(5, SECONDS).write("data: 1\n\n");
      assertThat(raw.some(14)).contains("data: 1");
    }
  }

  @Test
  void aCallOfGrpcMayBeQuiet() throws Exception {
    Upstream endpoint = reading();
    start(endpoint.address(), "h2c");

    try (FrameClient client = new FrameClient(port).greet()) {
      client.frame(
          HEADERS,
          END_HEADERS,
          1,
          FrameClient.head("POST", FrameClient.field("content-type", "application/grpc")));
      client.frame(DATA, 0, 1, (byte) 1);
      await().atMost(10, SECONDS).until(() -> read.get() == 1);
      for (int i = 0; i < 2; i++) {
        pass(WINDOW);
        ticks(3);
      }
      client.frame(DATA, FrameClient.END_STREAM, 1, (byte) 1);
      assertThat(client.answered(1)).isEqualTo("200");
    }
  }
}
