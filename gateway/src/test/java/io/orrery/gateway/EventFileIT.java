package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for TensorBoard, read back by a reader in another language that knows the format only. */
class EventFileIT {
  private static final String FILE = "/api/v1/experiments/digits01/trials/abcde/tfevents";

  @TempDir Path directory;
  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
    edge.answer(Trials.GET, Samples.trial(TrialStatus.RUNNING, 1, null, Samples.THEN));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static MetricPoint point(int attempt, MetricKind kind, long sequence, String value) {
    return new MetricPoint(
        new AttemptRef(Samples.TRIAL, attempt),
        "",
        sequence,
        kind,
        sequence,
        null,
        Samples.THEN.toEpochMilli() + sequence,
        MetricValue.parse(value));
  }

  /** Plays a store of pages, whose cursors are their numbers. */
  private void store(List<List<MetricPoint>> pages) throws Exception {
    edge.on(
        Metrics.POINTS,
        question -> {
          int page = question.since() == null ? 0 : Integer.parseInt(question.since());
          return Future.succeededFuture(
              page < pages.size()
                  ? new Metrics.Stretch(pages.get(page), Integer.toString(page + 1))
                  : new Metrics.Stretch(List.of(), question.since()));
        });
  }

  private List<JsonNode> events() throws Exception {
    HttpResponse<byte[]> response =
        edge.client().send(edge.request(FILE).build(), BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Disposition").orElseThrow())
        .contains("events.out.tfevents.1769860800.abcde");
    Path reader = directory.resolve("read_events.py");
    try (InputStream script =
        Objects.requireNonNull(getClass().getResourceAsStream("read_events.py"))) {
      Files.write(reader, script.readAllBytes());
    }
    Process python =
        new ProcessBuilder("python3", reader.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(directory.resolve("events.json").toFile())
            .start();
    try (OutputStream in = python.getOutputStream()) {
      in.write(response.body());
    }
    assertThat(python.waitFor()).as("every checksum is right").isZero();
    return Files.readAllLines(directory.resolve("events.json"), StandardCharsets.UTF_8).stream()
        .map(Json::parse)
        .toList();
  }

  @Test
  void everyPointIsAnEventOfItsStepAndTime() throws Exception {
    List<MetricPoint> page = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      page.add(point(1, MetricKind.INTERMEDIATE, i, Double.toString(Math.sqrt(i))));
    }
    store(
        List.of(
            page.subList(0, 1_999),
            page.subList(1_999, 3_000),
            List.of(point(1, MetricKind.FINAL, 1L << 40, "0.93"))));

    List<JsonNode> events = events();

    assertThat(events).hasSize(3_002);
    assertThat(events.getFirst().path("version").asText()).isEqualTo("brain.Event:2");
    for (int i = 0; i < 3_000; i++) {
      JsonNode event = events.get(i + 1);
      assertThat(event.path("step").asLong()).isEqualTo(i);
      assertThat(event.path("time").asDouble())
          .isCloseTo(Samples.THEN.getEpochSecond() + i / 1000.0, within(1e-6));
      assertThat((float) event.at("/values/default").asDouble()).isEqualTo((float) Math.sqrt(i));
    }
    assertThat(events.getLast().path("step").asLong()).isEqualTo(1L << 40);
    assertThat((float) events.getLast().at("/values/final").asDouble()).isEqualTo(0.93f);
  }

  @Test
  void theNumbersOfAnObjectAreTagsAndSpecialOnesAreKept() throws Exception {
    String name = "verlust/größe " + "x".repeat(2_000);
    store(
        List.of(
            List.of(
                point(1, MetricKind.INTERMEDIATE, 0, "NaN"),
                point(1, MetricKind.INTERMEDIATE, 1, "-Infinity"),
                point(
                    1,
                    MetricKind.INTERMEDIATE,
                    2,
                    "{\"default\":0.5,\"" + name + "\":0.25,\"note\":\"text\",\"list\":[1]}"),
                point(1, MetricKind.FINAL, 3, "{\"default\":1,\"loss\":2}"))));

    List<JsonNode> events = events();

    assertThat(events.get(1).at("/values/default").asDouble()).isNaN();
    assertThat(events.get(2).at("/values/default").asDouble()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(events.get(3).path("values").properties()).hasSize(2);
    assertThat(events.get(3).path("values").path(name).asDouble()).isEqualTo(0.25);
    assertThat(events.get(4).path("values").toString())
        .isEqualTo("{\"final\":1.0,\"final/loss\":2.0}");
  }

  @Test
  void aRetryThatBeginsMeanwhileIsNotMixedIn() throws Exception {
    store(
        List.of(
            List.of(point(1, MetricKind.INTERMEDIATE, 0, "1")),
            List.of(point(2, MetricKind.INTERMEDIATE, 0, "2"))));

    assertThat(events()).hasSize(2);
  }

  @Test
  void aTrialThatReportedNothingHasAFileWithoutValues() throws Exception {
    store(List.of());

    assertThat(events()).hasSize(1);
  }

  @Test
  void aTrialThatIsNotThereHasNone() throws Exception {
    EdgeServer empty = EdgeServer.start();
    try {
      empty.on(
          Trials.GET, question -> Future.failedFuture(new Problem.NotFound("None.").toException()));
      assertThat(empty.get(FILE).statusCode()).isEqualTo(404);
    } finally {
      empty.close();
    }
  }
}
