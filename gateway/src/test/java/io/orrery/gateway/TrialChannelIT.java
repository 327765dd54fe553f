package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialChannelIT {
  private static final String ASK = "{\"type\":\"request_parameter\"}";

  private EdgeServer edge;
  private String channel;
  private volatile Trial trial = Samples.running(Instant.parse("2999-01-01T00:00:00Z"));

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
    edge.on(Trials.GET, question -> Future.succeededFuture(trial));
    channel = "/trial/" + edge.tokens.of(Samples.ATTEMPT);
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void aTrialThatAsksGetsItsParametersInTheFormOfTheProtocol() throws Exception {
    HttpResponse<String> asked = put(ASK);
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.body()).isEmpty();

    HttpResponse<String> answer = edge.get(channel);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer).at("/type").asText()).isEqualTo("parameter");
    JsonNode record = Json.parse(json(answer).at("/parameter").textValue());
    assertThat(record.toString())
        .isEqualTo(
            "{\"parameter_id\":17,\"parameter_source\":\"algorithm\","
                + "\"parameters\":{\"lr\":0.01},\"parameter_index\":0}");
  }

  @Test
  void eachRequestIsAnsweredOnceAndThenThereIsNothing() throws Exception {
    put(ASK);
    put(ASK);

    assertThat(edge.get(channel).statusCode()).isEqualTo(200);
    assertThat(edge.get(channel).statusCode()).isEqualTo(200);
    assertThat(edge.get(channel).statusCode()).isEqualTo(408);
  }

  @Test
  void aPollWithNothingQueuedEndsAfterASecond() throws Exception {
    long begin = System.nanoTime();

    assertThat(edge.get(channel).statusCode()).isEqualTo(408);

    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isBetween(Duration.ofMillis(950), Duration.ofSeconds(10));
  }

  @Test
  void aPollThatWaitsIsWokenByTheRequest() throws Exception {
    var poll = edge.client().sendAsync(edge.request(channel).build(), BodyHandlers.ofString());
    while (edge.questions.isEmpty()) {
      Thread.onSpinWait();
    }
    put(ASK);

    assertThat(poll.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  @Test
  void aTrialThatIsOverHasNothingMoreToCome() throws Exception {
    put(ASK);
    trial = Samples.trial(TrialStatus.SUCCEEDED, 1, null, Samples.THEN);
    assertThat(edge.get(channel).statusCode()).isEqualTo(410);

    trial = Samples.trial(TrialStatus.RUNNING, 2, null, Samples.THEN);
    assertThat(edge.get(channel).statusCode()).isEqualTo(410);
  }

  @Test
  void aTrialThatAskedTheServerBeforeThisOneIsAnswered() throws Exception {
    trial = Samples.running(Instant.EPOCH);

    assertThat(edge.get(channel).statusCode()).isEqualTo(200);
  }

  @Test
  void aServerThatGoesDownTellsThePollsThatWaitToAskAgain() throws Exception {
    var poll = edge.client().sendAsync(edge.request(channel).build(), BodyHandlers.ofString());
    while (edge.questions.isEmpty()) {
      Thread.onSpinWait();
    }
    edge.undeploy();

    assertThat(poll.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(408);
  }

  @Test
  void aMetricOfTheStockSdkIsStored() throws Exception {
    assertThat(put(metric("PERIODICAL", 7, "NaN")).statusCode()).isEqualTo(200);
    assertThat(put(metric("FINAL", 0, "{\"default\": 0.93, \"loss\": NaN}")).statusCode())
        .isEqualTo(200);

    MetricPoint first = edge.sink.points.getFirst();
    assertThat(first.attempt()).isEqualTo(Samples.ATTEMPT);
    assertThat(first.kind()).isEqualTo(MetricKind.INTERMEDIATE);
    assertThat(first.sequence()).isEqualTo(7);
    assertThat(first.parameterId()).isEqualTo("3");
    assertThat(first.value()).isEqualTo(MetricValue.of(Double.NaN));
    assertThat(first.source()).isEqualTo("channel-test");
    MetricPoint second = edge.sink.points.getLast();
    assertThat(second.kind()).isEqualTo(MetricKind.FINAL);
    assertThat(second.value().number()).isEqualTo(0.93);
    assertThat(second.value().document()).contains("loss");
  }

  @Test
  void twoFinalsWithoutNumbersAreTwoPoints() throws Exception {
    put(metric("FINAL", 0, "1"));
    put(metric("FINAL", 0, "1"));

    assertThat(edge.sink.points).extracting(MetricPoint::ordinal).doesNotHaveDuplicates();
    assertThat(edge.sink.points).extracting(MetricPoint::source).containsOnly("channel-test");
  }

  @Test
  void aSenderThatCountsKeepsItsOwnIdentity() throws Exception {
    ObjectNode payload = payload("FINAL", 0, "0.5").put("source", "pid-7").put("ordinal", 12);

    put(command(payload));

    assertThat(edge.sink.points.getFirst().source()).isEqualTo("pid-7");
    assertThat(edge.sink.points.getFirst().ordinal()).isEqualTo(12);
  }

  @Test
  void aMetricIsAcknowledgedOnlyWhenItIsDurable() throws Exception {
    Promise<MetricSink.Receipt> durable = Promise.promise();
    edge.sink.answer = batch -> durable.future();
    try (RawClient raw = edge.raw()) {
      String body = metric("FINAL", 0, "1");
      raw.write(
          "PUT "
              + channel
              + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
      while (edge.sink.points.isEmpty()) {
        Thread.onSpinWait();
      }
      durable.fail(new Problem.Broken("the disk is gone").toException());
      assertThat(raw.answer()).startsWith("HTTP/1.1 500");
    }
  }

  @Test
  void aFullQueueAsksTheTrialToComeBack() throws Exception {
    edge.sink.answer =
        batch ->
            Future.failedFuture(new Problem.Busy("Too many.", Duration.ofSeconds(3)).toException());

    HttpResponse<String> response = put(metric("FINAL", 0, "1"));

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "{\"type\":\"stop\"}",
        "{\"type\":\"metric\"}",
        "{\"type\":\"metric\",\"metric\":\"{\"}",
        "{\"type\":\"metric\",\"metric\":\"{\\\"type\\\":\\\"FINAL\\\"}\"}",
        "{\"type\":\"metric\",\"metric\":{\"type\":\"FINAL\",\"value\":\"high\"}}",
        "{\"type\":\"metric\",\"metric\":{\"type\":\"FINAL\",\"value\":1,\"sequence\":-1}}",
        "{\"type\":\"metric\",\"metric\":{\"type\":\"FINAL\",\"value\":1,\"source\":\"a\"}}",
        "{\"type\":\"metric\",\"metric\":{\"type\":\"CUSTOM\",\"value\":1}}",
      })
  void aMalformedCommandIsRefused(String body) throws Exception {
    assertThat(put(body).statusCode()).isEqualTo(400);
    assertThat(edge.sink.points).isEmpty();
  }

  @Test
  void aTokenOpensItsOwnChannelOnly() throws Exception {
    String other =
        edge.tokens.of(new AttemptRef(new TrialRef(Samples.EXPERIMENT, new TrialId("other")), 1));
    String stolen = other.replace("other", "abcde");

    for (String token : new String[] {stolen, "x", other + "x", "..."}) {
      assertThat(edge.send("PUT", "/trial/" + token, ASK).statusCode()).isEqualTo(403);
      assertThat(edge.get("/trial/" + token).statusCode()).isEqualTo(403);
    }
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void theWholeConversationWorksOnOnePlainConnection() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write(
          "PUT "
              + channel
              + " HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: "
              + ASK.length()
              + "\r\n\r\n"
              + ASK);
      assertThat(raw.answer()).startsWith("HTTP/1.1 200").contains("content-length: 0");
      raw.write("GET " + channel + " HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200").contains("parameter_index");
      raw.write("GET " + channel + " HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 408");
      String report = metric("FINAL", 0, "0.5");
      raw.write(
          "PUT "
              + channel
              + " HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: "
              + report.length()
              + "\r\n\r\n"
              + report);
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(edge.sink.points).hasSize(1);
  }

  /** Its token is good for ever, and nothing would ever delete what it reports. */
  @Test
  void aTrialWhoseExperimentWasDeletedReportsNothing() throws Exception {
    AtomicBoolean deleted = new AtomicBoolean();
    edge.on(
        Experiments.GET,
        question ->
            deleted.get()
                ? Future.failedFuture(new Problem.NotFound("gone").toException())
                : Future.succeededFuture(Samples.experiment()));
    String report = metric("FINAL", 0, "1");
    assertThat(put(report).statusCode()).isEqualTo(200);
    assertThat(put(report).statusCode()).isEqualTo(200);
    assertThat(edge.questions).hasSize(1);

    ExperimentId experiment = Samples.ATTEMPT.trial().experiment();
    deleted.set(true);
    edge.publish(
        Experiments.EVENTS.of(experiment),
        new ExperimentEvent.Deleted(experiment, ResourceOwner.PUBLIC));
    await().atMost(10, TimeUnit.SECONDS).until(() -> put(report).statusCode() == 404);

    int before = edge.sink.points.size();
    assertThat(put(report).statusCode()).isEqualTo(404);
    assertThat(edge.sink.points).hasSize(before);
  }

  private HttpResponse<String> put(String body) throws Exception {
    return edge.send("PUT", channel, body);
  }

  private static String metric(String type, int sequence, String value) {
    return command(payload(type, sequence, value));
  }

  private static String command(ObjectNode payload) {
    return Json.write(
        Json.MAPPER.createObjectNode().put("type", "metric").put("metric", Json.write(payload)));
  }

  private static ObjectNode payload(String type, int sequence, String value) {
    return Json.MAPPER
        .createObjectNode()
        .put("parameter_id", 3)
        .put("trial_job_id", "abcde")
        .put("type", type)
        .put("sequence", sequence)
        .put("value", value);
  }
}
