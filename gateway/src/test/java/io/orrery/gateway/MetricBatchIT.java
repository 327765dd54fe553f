package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricBatchIT {
  private static final String GOOD =
      """
      {"trial":"digits01/abcde","kind":"intermediate","sequence":7,"value":0.93}
      """;

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
    edge.on(
        Trials.GET,
        question ->
            question.trial().equals(Samples.TRIAL)
                ? Future.succeededFuture(Samples.trial(TrialStatus.RUNNING, 2, null, Samples.THEN))
                : Future.failedFuture(
                    new Problem.NotFound("There is no trial " + question.trial() + ".")
                        .toException()));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void aBatchIsTakenWithTheDefaultsOfEachLine() throws Exception {
    edge.sink.answer = batch -> Future.succeededFuture(new MetricSink.Receipt(2, 1));

    var response =
        edge.post(
            "/api/v1/metrics",
            GOOD
                + """

                {"trial":"digits01/abcde","kind":"final","sequence":0,"value":{"default":1,"b":[1]},"attempt":1,"source":"pod-a","time":"2026-01-31T13:00:00+01:00","later":{"x":1}}
                {"trial":"digits01/abcde","kind":"final","sequence":1,"value":"-Infinity","ordinal":9,"time":5}\
                """);

    assertThat(response.body()).isEqualTo("{\"accepted\":2,\"duplicates\":1}");
    assertThat(edge.questions).containsExactly(new Trials.Get(Samples.TRIAL));
    assertThat(edge.sink.points)
        .extracting(
            MetricPoint::attempt,
            MetricPoint::source,
            MetricPoint::ordinal,
            MetricPoint::kind,
            MetricPoint::sequence,
            MetricPoint::value)
        .containsExactly(
            tuple(
                new AttemptRef(Samples.TRIAL, 2),
                "",
                7L,
                MetricKind.INTERMEDIATE,
                7L,
                MetricValue.of(0.93)),
            tuple(
                new AttemptRef(Samples.TRIAL, 1),
                "pod-a",
                0L,
                MetricKind.FINAL,
                0L,
                new MetricValue(1, "{\"default\":1,\"b\":[1]}")),
            tuple(
                new AttemptRef(Samples.TRIAL, 2),
                "",
                9L,
                MetricKind.FINAL,
                1L,
                MetricValue.of(Double.NEGATIVE_INFINITY)));
    assertThat(edge.sink.points.get(1).time()).isEqualTo(Samples.THEN.toEpochMilli());
    assertThat(edge.sink.points.get(2).time()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0}|/value",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"value\":0}|/sequence",
        "{\"trial\":\"digits01/abcde\",\"sequence\":0,\"value\":0}|/kind",
        "{\"kind\":\"final\",\"sequence\":0,\"value\":0}|/trial",
        "{\"trial\":\"digits01\",\"kind\":\"final\",\"sequence\":0,\"value\":0}|/trial",
        "{\"trial\":\"digits01/gone\",\"kind\":\"final\",\"sequence\":0,\"value\":0}|/trial",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"last\",\"sequence\":0,\"value\":0}|/kind",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":-1,\"value\":0}|/sequence",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":1.5,\"value\":0}|/sequence",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":\"high\"}|/value",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":null}|/value",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":[true]}|/value",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":[1]}|/value",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":{\"default\":[true]}}|/value",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":0,\"attempt\":3}|/attempt",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":0,\"time\":\"now\"}|/time",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":0} {}|~~",
        "{\"trial\":|~~",
        "[]|~~",
        "plain|~~",
      })
  void aBadLineRefusesTheWholeBatchWithItsNumber(String line, String pointer) throws Exception {
    var response = edge.post("/api/v1/metrics", GOOD + GOOD + line + "\n" + GOOD);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/errors/0/line").asInt()).isEqualTo(3);
    assertThat(json(response).at("/errors/0/pointer").asText()).isEqualTo(pointer);
    assertThat(edge.sink.points).isEmpty();
  }

  /** E7: plain lines and others, and objects within them. */
  @ParameterizedTest
  @CsvSource({
    "value, '\"value\":1,\"value\":1'",
    "trial, '\"value\":1,\"trial\":\"digits01/abcde\"'",
    "sequence, '\"value\":1,\"sequence\":0'",
    "source, '\"source\":\"a\",\"value\":{\"default\":1},\"source\":\"a\"'",
    "value, '\"value\":{\"default\":1,\"default\":2}'"
  })
  void aFieldThatIsThereTwiceRefusesTheBatch(String field, String members) throws Exception {
    String line =
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0," + members + "}\n";

    var response = edge.post("/api/v1/metrics", GOOD + line);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/errors/0/line").asInt()).isEqualTo(2);
    assertThat(json(response).at("/errors/0/pointer").asText()).isEqualTo("/" + field);
    assertThat(json(response).at("/errors/0/message").asText()).contains("twice");
    assertThat(edge.sink.points).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"source", "parameterId"})
  void aNameThatIsTooLongIsRefusedWithItsLine(String field) throws Exception {
    String line = GOOD.replace("{", "{\"" + field + "\":\"" + "x".repeat(1_025) + "\",");

    var response = edge.post("/api/v1/metrics", GOOD + line);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/errors/0/line").asInt()).isEqualTo(2);
    assertThat(json(response).at("/errors/0/pointer").asText()).isEqualTo("/" + field);
  }

  @Test
  void linesAreWholeHoweverTheBodyIsCut() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write(
          "POST /api/v1/metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (char c : (GOOD + GOOD.strip()).toCharArray()) {
        raw.write("1\r\n" + c + "\r\n");
      }
      raw.write("0\r\n\r\n");

      assertThat(raw.answer()).endsWith("{\"accepted\":2,\"duplicates\":0}");
    }
  }

  @Test
  void anAnswerWaitsUntilThePointsAreDurable() throws Exception {
    Promise<MetricSink.Receipt> durable = Promise.promise();
    edge.sink.answer = batch -> durable.future();

    var answer =
        edge.client()
            .sendAsync(
                edge.request("/api/v1/metrics").POST(BodyPublishers.ofString(GOOD)).build(),
                BodyHandlers.ofString());

    assertThat(answer.copy().completeOnTimeout(null, 300, TimeUnit.MILLISECONDS).get()).isNull();
    durable.complete(new MetricSink.Receipt(1, 0));
    assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  @Test
  void aFullQueueAsksToComeBack() throws Exception {
    edge.sink.answer =
        batch ->
            Future.failedFuture(
                new Problem.Busy("Too many points.", Duration.ofMillis(200)).toException());

    var response = edge.post("/api/v1/metrics", GOOD);

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
  }

  @Test
  void aLineOfMoreThanAMegabyteIsRefused() throws Exception {
    String endless =
        GOOD.replace("0.93", "{\"default\":1,\"x\":\"" + "x".repeat(1_000_000) + "\"}");

    var response = edge.post("/api/v1/metrics", GOOD + endless);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/errors/0/line").asInt()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"named\":true"})
  void aResultMayNameItsNumbersItself(String mark) throws Exception {
    String named = GOOD.replace("0.93}", "{\"loss\":0.2}" + mark + "}");

    var response = edge.post("/api/v1/metrics", named + named.replace("intermediate", "final"));

    assertThat(response.statusCode()).isEqualTo(200);
    MetricValue loss = new MetricValue(Double.NaN, "{\"loss\":0.2}");
    assertThat(edge.sink.points).extracting(MetricPoint::value).containsExactly(loss, loss);
  }

  @Test
  void theOldMarkOfAnObjectWithoutADefaultIsTrueOrFalse() throws Exception {
    String marked = GOOD.replace("0.93}", "{\"loss\":0.2},\"named\":1}");

    assertThat(edge.post("/api/v1/metrics", marked).statusCode()).isEqualTo(400);
  }

  @Test
  void anEmptyBatchIsNoWork() throws Exception {
    assertThat(edge.post("/api/v1/metrics", "\n\n").body())
        .isEqualTo("{\"accepted\":0,\"duplicates\":0}");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void aLargeBatchAsksForItsTrialOnce() throws Exception {
    String batch = GOOD.repeat(20_000);

    var response = edge.post("/api/v1/metrics", batch);

    assertThat(json(response).at("/accepted").asInt()).isEqualTo(20_000);
    assertThat(edge.questions).hasSize(1);
  }

  @Test
  void aTrialThatGoesOnReportingIsNotAskedForAgain() throws Exception {
    edge.post("/api/v1/metrics", GOOD);
    edge.post("/api/v1/metrics", GOOD);

    assertThat(edge.questions).hasSize(1);
  }

  @Test
  void aRetryIsHeardOf() throws Exception {
    edge.post("/api/v1/metrics", GOOD);
    edge.publish(
        Experiments.EVENTS.of(Samples.EXPERIMENT),
        new ExperimentEvent.TrialChanged(
            Samples.trial(TrialStatus.RUNNING, 3, null, Samples.THEN)));

    // Within one process the bus is quick and still not at once.
    await().until(() -> attemptOfTheNext() == 3);
    assertThat(edge.questions).hasSize(1);
  }

  private int attemptOfTheNext() throws Exception {
    edge.post("/api/v1/metrics", GOOD);
    return edge.sink.points.getLast().attempt().number();
  }

  @Test
  void aLaterAttemptThanTheKnownOneIsAskedFor() throws Exception {
    edge.post("/api/v1/metrics", GOOD);

    var response = edge.post("/api/v1/metrics", GOOD.replace("{", "{\"attempt\":3,"));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(edge.questions).hasSize(2);
  }

  @Test
  void aDeletedExperimentIsForgotten() throws Exception {
    edge.post("/api/v1/metrics", GOOD);
    edge.publish(
        Experiments.EVENTS.of(Samples.EXPERIMENT),
        new ExperimentEvent.Deleted(Samples.EXPERIMENT, ResourceOwner.PUBLIC));

    await()
        .untilAsserted(() -> {
          edge.post("/api/v1/metrics", GOOD);
          assertThat(edge.questions).hasSize(2);
        });
  }

  @Test
  void aPackedBatchIsUnpacked() throws Exception {
    byte[] whole = gzip(GOOD.repeat(30_000));

    var response = postPacked(whole);
    assertThat(response.body()).isEqualTo("{\"accepted\":30000,\"duplicates\":0}");

    assertThat(postPacked(Arrays.copyOf(whole, whole.length - 9)).statusCode()).isEqualTo(400);
    assertThat(postPacked("plain".getBytes(StandardCharsets.UTF_8)).statusCode()).isEqualTo(400);
    assertThat(json(postPacked(gzip(GOOD + "x"))).at("/errors/0/line").asInt()).isEqualTo(2);
    assertThat(edge.sink.points).hasSize(30_000);
  }

  @Test
  void whatUnpacksToTooMuchIsRefused() throws Exception {
    assertThat(postPacked(gzip("\n".repeat(20 << 20))).statusCode()).isEqualTo(413);
  }

  /** Each by itself is a gzip file, and a file may have several. */
  @Test
  void emptyPartsWithoutEndAreRefused() throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(gzip(GOOD.repeat(1_000)));
    byte[] empty = gzip("");
    for (int i = 0; i < 200_000; i++) {
      body.write(empty);
    }

    assertThat(postPacked(body.toByteArray()).statusCode()).isEqualTo(400);
    assertThat(edge.sink.points).isEmpty();
    assertThat(postPacked(gzip(GOOD)).statusCode()).isEqualTo(200);
  }

  @Test
  void anotherCodingIsRefused() throws Exception {
    var response =
        edge.client()
            .send(
                edge.request("/api/v1/metrics")
                    .header("Content-Encoding", "br")
                    .POST(BodyPublishers.ofString(GOOD))
                    .build(),
                BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("gzip");
  }

  private HttpResponse<String> postPacked(byte[] body) throws Exception {
    return edge.client()
        .send(
            edge.request("/api/v1/metrics")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(body))
                .build(),
            BodyHandlers.ofString());
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
