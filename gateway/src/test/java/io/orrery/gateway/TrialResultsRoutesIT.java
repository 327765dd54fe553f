package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the series of trials, their points, and their export. */
class TrialResultsRoutesIT extends TrialRoutesFixture {
  @Test
  void aTrialThatIsNotThereHasNoSeries() throws Exception {
    edge.on(
        Trials.GET,
        asked -> Future.failedFuture(new Problem.NotFound("no such trial").toException()));

    assertThat(edge.get(TRIALS + "/abcde/metrics").statusCode()).isEqualTo(404);
  }

  @Test
  void aSeriesShowsTheKeyThatWasAskedFor() throws Exception {
    edge.answer(Trials.GET, Samples.trial());
    edge.on(
        Metrics.SERIES,
        question ->
            Future.succeededFuture(
                new Metrics.Series(
                    List.of(
                        point(MetricKind.INTERMEDIATE, question.key() == null ? "0.5" : "2"),
                        point(MetricKind.INTERMEDIATE, "NaN")),
                    point(MetricKind.FINAL, "0.9"),
                    5_000)));

    JsonNode loss = json(edge.get(TRIALS + "/abcde/metrics?key=loss&maxPoints=50"));
    JsonNode standard = json(edge.get(TRIALS + "/abcde/metrics"));

    assertThat(loss.at("/points/0/value").asInt()).isEqualTo(2);
    assertThat(loss.at("/key").asText()).isEqualTo("loss");
    assertThat(loss.at("/total").asInt()).isEqualTo(5_000);
    assertThat(standard.at("/points/0/value").asDouble()).isEqualTo(0.5);
    assertThat(standard.at("/points/1/value").asText()).isEqualTo("NaN");
    assertThat(standard.at("/points/0/time").asText()).isEqualTo("1970-01-01T00:00:01.000Z");
    assertThat(standard.at("/final/value").asDouble()).isEqualTo(0.9);
    assertThat(edge.questions)
        .containsExactly(
            new Trials.Get(Samples.TRIAL),
            new Metrics.SeriesOf(Samples.TRIAL, 50, "loss"),
            new Trials.Get(Samples.TRIAL),
            new Metrics.SeriesOf(Samples.TRIAL, 1_000, null));
  }

  private static Metrics.Curve curve(int attempt, double... values) {
    return new Metrics.Curve(
        attempt, new long[values.length], values, new long[values.length], null, values.length);
  }

  @Test
  void manySeriesAreDrawnBehindEachOther() throws Exception {
    Metrics.Curves curves = new Metrics.Curves(List.of(curve(1, 0.5, 0.25), curve(0)));
    edge.answer(Metrics.CURVES, curves);

    String path = "/api/v1/experiments/digits01/metrics?maxPoints=50&trials=abcde,fghij";
    JsonNode first = json(edge.get(path));
    JsonNode again = json(edge.get(path));
    JsonNode finals = json(edge.get(path + "&kind=final"));

    assertThat(first.at("/items/0/trial").asText()).isEqualTo("digits01/abcde");
    assertThat(first.at("/items/0/points/1/value").asDouble()).isEqualTo(0.25);
    assertThat(first.at("/items/1/trial").asText()).isEqualTo("digits01/fghij");
    assertThat(first.at("/items/1/points")).isEmpty();
    assertThat(first.path("items")).hasSize(2);
    assertThat(again).isEqualTo(first);
    assertThat(finals.at("/items/0/points")).isEmpty();
    // What has reported is there.
    assertThat(edge.questions).hasSize(3).allMatch(Metrics.CurvesOf.class::isInstance);
  }

  @Test
  void seriesOfAnExperimentThatIsNotThereAreNotFound() throws Exception {
    edge.answer(Metrics.CURVES, new Metrics.Curves(List.of(curve(0))));
    edge.on(
        Experiments.GET,
        question -> Future.failedFuture(new Problem.NotFound("It is gone.").toException()));

    var response = edge.get("/api/v1/experiments/digits01/metrics?trials=abcde");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("It is gone.");
  }

  @Test
  void pointsAreReadFromAPlaceOn() throws Exception {
    edge.answer(Trials.GET, Samples.trial());
    edge.on(
        Metrics.POINTS,
        question ->
            Future.succeededFuture(
                question.since() == null
                    ? new Metrics.Stretch(
                        List.of(
                            point(MetricKind.INTERMEDIATE, "{\"default\":0.5,\"loss\":2}"),
                            point(MetricKind.INTERMEDIATE, "0.25"),
                            point(MetricKind.FINAL, "0.9")),
                        "1.0.40")
                    : new Metrics.Stretch(List.of(), null)));

    JsonNode first = json(edge.get(TRIALS + "/abcde/metrics?since=0&maxPoints=50"));
    JsonNode loss = json(edge.get(TRIALS + "/abcde/metrics?since=0&maxPoints=50&key=loss"));
    JsonNode rest = json(edge.get(TRIALS + "/abcde/metrics?since=" + first.path("next").asText()));

    assertThat(first.at("/points/0/value").asDouble()).isEqualTo(0.5);
    assertThat(first.at("/final/value").asDouble()).isEqualTo(0.9);
    assertThat(loss.at("/points/0/value").asInt()).isEqualTo(2);
    assertThat(loss.at("/points/1/value").isNull()).isTrue();
    assertThat(rest.path("points")).isEmpty();
    assertThat(rest.path("next").asText()).isEqualTo("1.0.40");
    assertThat(edge.questions).contains(new Metrics.PointsSince(Samples.TRIAL, null, 50));
  }

  @Test
  void anExportIsReadPageByPage() throws Exception {
    serveTwoPages();

    var response = edge.get("/api/v1/experiments/digits01/export");

    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    JsonNode body = json(response);
    assertThat(body).hasSize(2);
    assertThat(body.at("/0/parameter/lr").asDouble()).isEqualTo(0.1);
    assertThat(body.at("/0/value").asDouble()).isEqualTo(0.5);
    assertThat(body.at("/0/trialJobId").asText()).isEqualTo("one");
    assertThat(body.at("/1/value/loss").asInt()).isEqualTo(2);
    assertThat(edge.questions).hasSize(2);
  }

  @Test
  void anExportOfNothingIsAnEmptyList() throws Exception {
    edge.answer(Trials.LIST, new Trials.Page(List.of(), null));

    assertThat(edge.get("/api/v1/experiments/digits01/export").body()).isEqualTo("[]\n");
    assertThat(edge.get("/api/v1/experiments/digits01/export?format=csv").body())
        .isEqualTo("reward,trialJobId\r\n");
  }

  @Test
  void aTableHasTheColumnsOfAllPages() throws Exception {
    serveTwoPages();

    var response = edge.get("/api/v1/experiments/digits01/export?format=csv");

    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/csv; charset=utf-8");
    assertThat(response.body())
        .isEqualTo(
            """
            lr,act,reward,default,loss,trialJobId\r
            0.1,,0.5,,,one\r
            ,"a,\"\"b\"\"\",,0.7,2,two\r
            """);
  }

  @Test
  void noTextInATableIsAFormulaAndNumbersAreNumbers() throws Exception {
    edge.answer(
        Trials.LIST,
        new Trials.Page(
            List.of(
                Samples.result(
                    "one",
                    0,
                    Map.of("=x", "=HYPERLINK(\"http://evil.example\")"),
                    MetricValue.parse("{\"default\":-0.5,\"@note\":\"-2+3\",\"text\":\"-7\"}"))),
            null));

    assertThat(edge.get("/api/v1/experiments/digits01/export?format=csv").body())
        .isEqualTo(
            """
            '=x,default,'@note,text,trialJobId\r
            "'=HYPERLINK(""http://evil.example"")",-0.5,'-2+3,-7,one\r
            """);
    assertThat(json(edge.get("/api/v1/experiments/digits01/export")).at("/0/parameter/=x").asText())
        .isEqualTo("=HYPERLINK(\"http://evil.example\")");
  }

  @Test
  void anExportThatBreaksInTheMiddleIsNotMistakenForAWholeOne() throws Exception {
    edge.on(
        Trials.LIST,
        question ->
            question.cursor() == null
                ? Future.succeededFuture(
                    new Trials.Page(
                        List.of(Samples.result("one", 0, Map.of(), MetricValue.of(1))), "more"))
                : Future.failedFuture(new IllegalStateException("the disk is gone")));
    try (RawClient raw = edge.raw()) {
      raw.write("GET /api/v1/experiments/digits01/export HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(raw.rest()).contains("\"one\"").doesNotEndWith("0\r\n\r\n");
    }
  }

  private void serveTwoPages() throws Exception {
    edge.on(
        Trials.LIST,
        question -> {
          assertThat(question.status()).isEqualTo(TrialStatus.SUCCEEDED);
          return Future.succeededFuture(
              question.cursor() == null
                  ? new Trials.Page(
                      List.of(Samples.result("one", 0, Map.of("lr", 0.1), MetricValue.of(0.5))),
                      "more")
                  : new Trials.Page(
                      List.of(
                          Samples.result(
                              "two",
                              1,
                              Map.of("act", "a,\"b\""),
                              MetricValue.parse("{\"default\":0.7,\"loss\":2}")),
                          Samples.running(null)),
                      null));
        });
  }

  private static MetricPoint point(MetricKind kind, String value) {
    return new MetricPoint(Samples.ATTEMPT, "s", 0, kind, 3, null, 1_000, MetricValue.parse(value));
  }
}
