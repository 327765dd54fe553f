package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.EventReader.Event;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveEventsIT {
  private static final String ONE = "/api/v1/experiments/digits01/events";
  private static final Topic<ExperimentEvent> EVENTS = Experiments.EVENTS.of(Samples.EXPERIMENT);

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
    edge.answer(Experiments.GET, Samples.experiment());
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static Trial trial(String id, double metric) {
    return Samples.result(id, 1, Map.of("lr", 0.1), MetricValue.of(metric));
  }

  private void changed(Trial trial) {
    edge.publish(EVENTS, new ExperimentEvent.TrialChanged(trial));
  }

  @Test
  void whoComesIsToldFirstHowThingsAre() throws Exception {
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      Event first = events.next("experiment");

      ObjectNode whole = (ObjectNode) json(edge.get("/api/v1/experiments/digits01"));
      // Tags change by a request of their own, and have an event of their own.
      assertThat(first.data()).isEqualTo(whole.without("tags"));
      assertThat(first.id()).isNotEmpty();
    }
  }

  @Test
  void anUpdateHasTheNewestStateOfEachTrialOnce() throws Exception {
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      events.next("experiment");

      changed(trial("abcde", 0.1));
      changed(trial("fghij", 0.2));
      changed(trial("abcde", 0.3));
      edge.publish(EVENTS, new ExperimentEvent.TrialWithdrawn(Samples.TRIAL));
      edge.publish(EVENTS, new ExperimentEvent.Changed(Samples.experiment()));

      // The messages of one commit come one by one: the first update may be short of some.
      Event trials = events.next("trials");
      Set<String> told = new HashSet<>(trials.data().at("/items").findValuesAsText("id"));
      while (trials.data().at("/withdrawn").isEmpty()) {
        trials = events.next("trials");
        told.addAll(trials.data().at("/items").findValuesAsText("id"));
      }
      assertThat(trials.data().at("/withdrawn").toString()).isEqualTo("[\"abcde\"]");
      assertThat(trials.data().at("/items").findValuesAsText("id")).doesNotContain("abcde");
      assertThat(told).contains("fghij");
      events.next("experiment");
    }
  }

  @Test
  void durableReportsAreTold() throws Exception {
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      events.next("experiment");
      edge.publish(
          Metrics.STORED.of(Samples.EXPERIMENT),
          new Metrics.Stored(
              Samples.EXPERIMENT,
              List.of(
                  point(MetricKind.INTERMEDIATE, 7, 0.5), point(MetricKind.FINAL, 0, Double.NaN))));

      Event metrics = events.next("metrics");

      assertThat(metrics.data().at("/items/0").toString())
          .isEqualTo(
              "{\"trial\":\"abcde\",\"attempt\":1,\"kind\":\"intermediate\",\"sequence\":7,"
                  + "\"value\":0.5,\"time\":\"2026-01-31T12:00:00.000Z\"}");
      assertThat(metrics.data().at("/items/1/kind").asText()).isEqualTo("final");
      assertThat(metrics.data().at("/items/1/value").asText()).isEqualTo("NaN");
      assertThat(metrics.data().at("/skipped").asLong()).isZero();
    }
  }

  private static MetricPoint point(MetricKind kind, long sequence, double value) {
    return new MetricPoint(
        Samples.ATTEMPT,
        "test",
        sequence,
        kind,
        sequence,
        null,
        Samples.THEN.toEpochMilli(),
        MetricValue.of(value));
  }

  @Test
  void whoComesBackGoesOnExactlyWhereItWas() throws Exception {
    String left;
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      events.next("experiment");
      changed(trial("aaaaa", 0.1));
      left = events.next("trials").id();
      changed(trial("bbbbb", 0.2));
      events.next("trials");
      changed(trial("ccccc", 0.3));
      events.next("trials");
    }
    try (EventReader again = EventReader.open(edge, ONE, left)) {
      assertThat(again.next("trials").data().at("/items/0/id").asText()).isEqualTo("bbbbb");
      assertThat(again.next("trials").data().at("/items/0/id").asText()).isEqualTo("ccccc");
      changed(trial("ddddd", 0.4));
      assertThat(again.next("trials").data().at("/items/0/id").asText()).isEqualTo("ddddd");
    }
  }

  @Test
  void whoMissedNothingIsToldNothingTwice() throws Exception {
    String left;
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      left = events.next("experiment").id();
    }
    try (EventReader again = EventReader.open(edge, ONE + "?lastEventId=" + left, null)) {
      changed(trial("bbbbb", 0.2));

      again.next("trials");
    }
  }

  @Test
  void whoComesWithAnIdOfAnotherStartBeginsAnew() throws Exception {
    try (EventReader events = EventReader.open(edge, ONE, "another-17")) {
      Event reset = events.next("reset");
      assertThat(reset.data().toString()).isEqualTo("{}");
      events.next("experiment");
      assertThat(events.lastId()).isEqualTo(reset.id());
    }
  }

  @Test
  void anExperimentThatIsNotThereHasNoStream() throws Exception {
    EdgeServer other = EdgeServer.start();
    try {
      other.on(
          Experiments.GET,
          get -> Future.failedFuture(new Problem.NotFound("There is none.").toException()));

      var response = other.get(ONE);

      assertThat(response.statusCode()).isEqualTo(404);
      assertThat(response.headers().firstValue("Content-Type"))
          .hasValue("application/problem+json");
    } finally {
      other.close();
    }
  }

  @Test
  void theStreamOfADeletedExperimentSaysSoAndEnds() throws Exception {
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      events.next("experiment");

      edge.publish(EVENTS, new ExperimentEvent.Deleted(Samples.EXPERIMENT, ResourceOwner.PUBLIC));

      assertThat(events.next("deleted").data().toString()).isEqualTo("{\"id\":\"digits01\"}");
      events.next("end");
    }
  }

  @Test
  void theListIsToldOfEveryExperimentThatChangesAndOfThoseThatGo() throws Exception {
    try (EventReader events = EventReader.open(edge, "/api/v1/events", null)) {
      edge.publish(Experiments.NEWS, new ExperimentEvent.Changed(Samples.experiment()));
      Event changed = events.next("experiment");
      edge.publish(
          Experiments.NEWS, new ExperimentEvent.Deleted(Samples.EXPERIMENT, ResourceOwner.PUBLIC));

      assertThat(changed.data().at("/id").asText()).isEqualTo("digits01");
      assertThat(changed.data().has("config")).isFalse();
      assertThat(events.next("deleted").data().toString()).isEqualTo("{\"id\":\"digits01\"}");
    }
  }

  @Test
  void aServerThatGoesDownEndsItsStreams() throws Exception {
    try (EventReader events = EventReader.open(edge, ONE, null)) {
      events.next("experiment");

      edge.undeploy();

      events.next("end");
    }
  }

  @Test
  void aReaderThatFellBehindIsToldToBeginAnew() throws Exception {
    String large = "x".repeat(2_500_000);
    try (EventReader quick = EventReader.open(edge, ONE, null);
        RawClient slow = new RawClient(edge.port(), 1 << 18)) {
      quick.next("experiment");
      slow.write("GET " + ONE + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      for (int i = 0; i < 12; i++) {
        changed(Samples.result("abcde", i, Map.of("text", large), MetricValue.of(i)));
        quick.next("trials");
      }

      long until = System.nanoTime() + 30_000_000_000L;
      boolean reset = false;
      long seen = 0;
      String before = "";
      while (!reset) {
        String piece = slow.piece();
        assertThat(piece).as("more of the stream").isNotEmpty();
        seen += piece.length();
        assertThat(System.nanoTime()).as("the time after %s bytes", seen).isLessThan(until);
        reset = (before + piece).contains("event: reset");
        before = piece.substring(Math.max(0, piece.length() - 20));
      }
    }
  }
}
