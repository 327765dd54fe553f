package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.EdgeOptions;
import io.vertx.core.Future;
import java.io.InputStream;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrialLogIT {
  private static final String LOG = "/api/v1/experiments/digits01/trials/abcde/logs/stdout";

  private EdgeServer edge;
  private volatile byte[] written = new byte[0];
  private volatile boolean ended;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void aLogIsReadToItsPresentEndWhichIsNamed() throws Exception {
    serve(EdgeOptions.loopback(0));
    written = bytes(200_000);

    var response =
        edge.client().send(edge.request(LOG + "?offset=5").build(), BodyHandlers.ofByteArray());

    assertThat(response.headers().firstValue("X-Next-Offset")).hasValue("200000");
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
    assertThat(response.body()).isEqualTo(Arrays.copyOfRange(written, 5, 200_000));
    assertThat(edge.questions)
        .allSatisfy(q -> assertThat(((Trials.ReadLog) q).limit()).isLessThanOrEqualTo(65_536));
  }

  @Test
  void aNegativeOffsetReadsTheEnd() throws Exception {
    serve(EdgeOptions.loopback(0));
    written = "one\ntwo\n".getBytes(StandardCharsets.UTF_8);

    assertThat(edge.get(LOG + "?offset=-4").body()).isEqualTo("two\n");
    assertThat(edge.get(LOG + "?offset=-400").body()).isEqualTo("one\ntwo\n");
    assertThat(edge.get(LOG + "?offset=8").body()).isEmpty();
    assertThat(edge.get(LOG + "?offset=800").body()).isEmpty();
  }

  /** A service is looked up before its log is read: the refusal comes when the handler is over. */
  @Test
  void aLogThatIsAskedForWronglyIsRefused() throws Exception {
    serve(EdgeOptions.loopback(0));
    ServiceSamples.answer(edge);

    for (String log : List.of(LOG + "?", "/api/v1/services/hello/logs?replica=2-0&")) {
      assertThat(edge.get(log + "offset=x").statusCode()).as(log).isEqualTo(400);
      assertThat(edge.get(log + "follow=perhaps").statusCode()).as(log).isEqualTo(400);
    }
  }

  @Test
  void aFollowedLogGrowsUntilItsAttemptEnds() throws Exception {
    serve(EdgeOptions.loopback(0));

    var response =
        edge.client()
            .send(edge.request(LOG + "?follow=true").build(), BodyHandlers.ofInputStream());

    assertThat(response.headers().firstValue("X-Next-Offset")).isEmpty();
    try (InputStream body = response.body()) {
      written = "epoch 1\n".getBytes(StandardCharsets.UTF_8);
      assertThat(body.readNBytes(8)).isEqualTo(written);
      written = "epoch 1\nepoch 2\n".getBytes(StandardCharsets.UTF_8);
      ended = true;
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("epoch 2\n");
    }
  }

  @Test
  void aFollowerThatLeavesIsForgotten() throws Exception {
    serve(EdgeOptions.loopback(0).withMaxFollowers(1));
    try (RawClient raw = edge.raw()) {
      raw.write("GET " + LOG + "?follow=true HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");

      var second = edge.get(LOG + "?follow=true");
      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.headers().firstValue("Retry-After")).hasValue("5");
    }

    ended = true;
    eventually(() -> status(LOG + "?follow=true") == 200);
    int asked = edge.questions.size();
    TimeUnit.MILLISECONDS.sleep(500);
    assertThat(edge.questions).hasSize(asked);
  }

  @Test
  void aClientThatDoesNotReadStopsTheReading() throws Exception {
    serve(EdgeOptions.loopback(0).withTimes(Duration.ofSeconds(60), Duration.ofMillis(400)));
    written = bytes(64 << 20);
    try (RawClient raw = edge.raw()) {
      raw.write("GET " + LOG + "?follow=true HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.some(15)).asString(StandardCharsets.US_ASCII).isEqualTo("HTTP/1.1 200 OK");
      eventually(this::quiet);
      TimeUnit.MILLISECONDS.sleep(800);

      assertThat(edge.questions.size() * 65_536L).isLessThan(written.length / 2);
      assertThat(raw.rest().length()).isLessThan(written.length / 2);
    }
  }

  @Test
  void aLogThatCannotBeReadIsAProblem() throws Exception {
    edge.on(
        Trials.READ_LOG,
        question -> Future.failedFuture(new Problem.NotFound("It wrote none.").toException()));

    assertThat(edge.get(LOG).statusCode()).isEqualTo(404);
    assertThat(edge.get(LOG + "?follow=true").statusCode()).isEqualTo(404);
    assertThat(edge.get(LOG.replace("stdout", "other")).statusCode()).isEqualTo(404);
    assertThat(edge.get(LOG).headers().firstValue("Content-Type"))
        .hasValue("application/problem+json");
  }

  @Test
  void aServerThatGoesDownEndsWhatIsFollowed() throws Exception {
    serve(EdgeOptions.loopback(0));
    written = "so far\n".getBytes(StandardCharsets.UTF_8);
    var response =
        edge.client()
            .send(edge.request(LOG + "?follow=true").build(), BodyHandlers.ofInputStream());

    edge.undeploy();

    try (InputStream body = response.body()) {
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("so far\n");
    }
  }

  private void serve(EdgeOptions options) throws Exception {
    edge.close();
    edge = EdgeServer.start(options);
    edge.on(
        Trials.READ_LOG,
        question -> {
          byte[] all = written;
          int from =
              (int)
                  (question.offset() < 0
                      ? Math.max(0, all.length + question.offset())
                      : Math.min(question.offset(), all.length));
          int to = Math.min(all.length, from + question.limit());
          return Future.succeededFuture(
              new Trials.LogPiece(
                  Arrays.copyOfRange(all, from, to), to, ended && to == all.length));
        });
  }

  private boolean quiet() throws Exception {
    int before = edge.questions.size();
    TimeUnit.MILLISECONDS.sleep(300);
    return edge.questions.size() == before;
  }

  private int status(String path) throws Exception {
    return edge.get(path).statusCode();
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void eventually(Condition condition) throws Exception {
    for (int tries = 0; tries < 100; tries++) {
      if (condition.holds()) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new AssertionError("it never came true");
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      bytes[at] = (byte) ('a' + at % 23);
    }
    return bytes;
  }
}
