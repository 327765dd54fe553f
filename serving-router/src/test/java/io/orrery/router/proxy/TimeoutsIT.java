package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how long clients may take, by a clock that the test moves. */
class TimeoutsIT extends ClockedRouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final String ASK = "GET / HTTP/1.1\r\n" + HOST + "\r\n";
  private static final Duration IDLE = Duration.ofSeconds(76);

  /** Lets time pass until a connection that says no more than this has been closed. */
  private void untilClosed(String said) throws Exception {
    try (RawClient raw = new RawClient(port)) {
      raw.write(said);
      CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> rest(raw));
      // Again and again: it may not have been accepted yet.
      await()
          .atMost(15, SECONDS)
          .until(() -> {
            pass(IDLE);
            return heard.isDone();
          });
    }
  }

  private static String rest(RawClient raw) {
    try {
      return raw.rest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PRI *",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/1.1\r\n" + HOST,
        "GET / HTTP/1.0\r\n" + HOST,
        ASK + "GET / HTTP/1.1\r\n" + HOST
      })
  void aConnectionOnWhichNoWholeHeadComesIsClosed(String said) throws Exception {
    start(opened(Upstream.named(vertx, "yes")));

    untilClosed(said);
  }

  @Test
  void whoComesToTheEndOfAHeadInTimeIsHeard() throws Exception {
    start(opened(Upstream.named(vertx, "yes")));

    for (String slow : List.of(ASK, ASK.replace("1.1", "1.0"))) {
      try (RawClient raw = new RawClient(port)) {
        raw.write(slow.substring(0, 10));
        pass(Duration.ofSeconds(60));
        assertThat(raw.write(slow.substring(10)).answer()).startsWith("HTTP/1.").endsWith("yes");
      }
    }
  }

  @Test
  void aRequestAtWorkKeepsItsConnectionHoweverLongItTakes() throws Exception {
    List<HttpServerRequest> asked = new CopyOnWriteArrayList<>();
    start(opened(Upstream.start(vertx, asked::add)));

    try (RawClient plain = new RawClient(port);
        RawClient old = new RawClient(port);
        FrameClient frames = new FrameClient(port).greet()) {
      plain.write(ASK);
      old.write(ASK.replace("1.1", "1.0"));
      frames.ask(1);
      await().atMost(10, SECONDS).until(() -> asked.size() == 3);

      untilClosed("");
      vertx.runOnContext(go -> asked.forEach(request -> request.response().end("yes")));

      assertThat(plain.answer()).endsWith("yes");
      assertThat(old.answer()).endsWith("yes");
      assertThat(frames.answered(1)).isEqualTo("200");
    }
  }

  /** Of HTTP/1 the connection ends; of HTTP/2 there may be others on it. */
  @Test
  void aStreamThatWasAnsweredEarlyEndsAlone() throws Exception {
    start(opened(Upstream.start(vertx, request -> request.response().end("early"))));

    answeredEarly("200");
  }

  @Test
  void aStreamThatWasRefusedEarlyEndsAlone() throws Exception {
    Upstream dead = Upstream.named(vertx, "dead");
    dead.kill();
    start(dead);

    answeredEarly("another");
  }

  private void answeredEarly(String status) throws Exception {
    try (FrameClient client = new FrameClient(port).greet()) {
      client.frame(HEADERS, END_HEADERS, 1, FrameClient.head("POST"));
      client.frame(DATA, 0, 1, (byte) 1);
      assertThat(client.answered(1)).isEqualTo(status);
      pass(Duration.ofSeconds(6));
      assertThat(client.answered(1)).isEqualTo("error 0");

      assertThat(client.ask(3).answered(3)).isEqualTo(status);
    }
  }

  @Test
  void aStreamWhoseBodyDoesNotComeEndsAlone() throws Exception {
    List<HttpServerRequest> asked = new CopyOnWriteArrayList<>();
    start(
        opened(
            Upstream.start(
                vertx,
                request -> {
                  asked.add(request);
                  request.end().onSuccess(end -> request.response().end("yes"));
                })));

    try (FrameClient client = new FrameClient(port).greet()) {
      client.frame(HEADERS, END_HEADERS, 1, FrameClient.head("POST"));
      client.frame(DATA, 0, 1, (byte) 1);
      await().atMost(10, SECONDS).until(() -> asked.size() == 1);
      pass(Duration.ofMinutes(61));
      assertThat(client.answered(1)).as("408").isEqualTo("another");
      assertThat(client.answered(1)).isEqualTo("error 0");

      assertThat(client.ask(3).answered(3)).isEqualTo("200");
    }
  }
}
