package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrialRoutesIT {
  private static final String TRIALS = "/api/v1/experiments/digits01/trials";

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void aTrialHasTheShapeThatTheInterfaceFixes() throws Exception {
    edge.answer(Trials.GET, Samples.trial());
    edge.trialTags = Map.of("abcde", List.of("baseline"));

    JsonNode body = json(edge.get(TRIALS + "/abcde"));

    assertThat(body.at("/id").asText()).isEqualTo("abcde");
    assertThat(body.at("/experiment").asText()).isEqualTo("digits01");
    assertThat(body.at("/sequenceId").asInt()).isEqualTo(4);
    assertThat(body.at("/status").asText()).isEqualTo("SUCCEEDED");
    assertThat(body.get("reason").isNull()).isTrue();
    assertThat(body.at("/attempt").asInt()).isEqualTo(1);
    assertThat(body.at("/parameters").toString()).isEqualTo("{\"lr\":0.01}");
    assertThat(body.at("/parameterId").asText()).isEqualTo("17");
    assertThat(body.at("/metric").toString()).isEqualTo("0.93");
    assertThat(body.at("/startedAt").asText()).isEqualTo("2026-01-31T12:00:02.000Z");
    assertThat(body.get("endedAt").isNull()).isTrue();
    assertThat(body.at("/tags/0").asText()).isEqualTo("baseline");
    assertThat(edge.questions).containsExactly(new Trials.Get(Samples.TRIAL));
  }

  @Test
  void aResultThatIsNotFiniteIsAString() throws Exception {
    edge.answer(
        Trials.GET,
        Samples.trial(
            TrialStatus.SUCCEEDED, 1, MetricValue.of(Double.NEGATIVE_INFINITY), Samples.THEN));

    assertThat(edge.get(TRIALS + "/abcde").body()).contains("\"metric\":\"-Infinity\"");
  }

  @Test
  void aResultThatIsAnObjectShowsItsDefaultAndItself() throws Exception {
    edge.answer(
        Trials.GET,
        Samples.trial(
            TrialStatus.SUCCEEDED,
            1,
            MetricValue.parse("{\"default\":0.5,\"loss\":2}"),
            Samples.THEN));

    JsonNode body = json(edge.get(TRIALS + "/abcde"));

    assertThat(body.at("/metric").asDouble()).isEqualTo(0.5);
    assertThat(body.at("/metricDocument/loss").asInt()).isEqualTo(2);
  }

  @Test
  void aListIsFilteredSortedAndPagedAsAsked() throws Exception {
    edge.answer(Trials.LIST, new Trials.Page(List.of(Samples.trial()), null));

    JsonNode body =
        json(edge.get(TRIALS + "?status=FAILED&sort=-metric&q=a%20b&cursor=c&limit=1000"));

    assertThat(body.at("/items/0/id").asText()).isEqualTo("abcde");
    assertThat(edge.questions)
        .containsExactly(
            new Trials.ListSome(
                Samples.EXPERIMENT, TrialStatus.FAILED, "-metric", "a b", "c", 1_000));
  }

  @Test
  void conditionsOffsetAndCountArePassedOn() throws Exception {
    edge.answer(Trials.LIST, new Trials.Page(List.of(), null, 12L));

    JsonNode body =
        json(
            edge.get(
                TRIALS
                    + "?where=parameters.lr%3E%3D0.01&where=status=[%22FAILED%22,%22RUNNING%22]"
                    + "&where=parameters.act!=relu&where=metric%3CInfinity&offset=99500&total"));

    assertThat(body.at("/total").asInt()).isEqualTo(12);
    assertThat(edge.questions)
        .containsExactly(
            new Trials.ListSome(
                Samples.EXPERIMENT,
                null,
                null,
                null,
                List.of(
                    new TrialCondition(
                        new TrialField.Parameter("lr"), Comparison.AT_LEAST, List.of(0.01)),
                    new TrialCondition(
                        TrialField.Standard.STATUS, Comparison.EQUAL, List.of("FAILED", "RUNNING")),
                    new TrialCondition(
                        new TrialField.Parameter("act"), Comparison.UNEQUAL, List.of("relu")),
                    new TrialCondition(
                        TrialField.Standard.METRIC,
                        Comparison.LESS,
                        List.of(Double.POSITIVE_INFINITY))),
                null,
                99_500L,
                true,
                100));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lr=1 | there are sequenceId",
        "metrik=1 | did you mean 'metric'",
        "metric | a field, one of = !=",
        "metric= | a field, one of = !=",
        "metric=good | compared with a number, not \"good\"",
        "metric=NaN | compared with a number",
        "metric>[1,2] | a list of values goes with = and !=",
        "metric=[] | one to 100 values",
        "status=FAILD | did you mean 'FAILED'",
        "status>FAILED | compared with = and != only",
        "startedAt>yesterday | a time such as 2026-01-31T12:00:00Z",
        "parameters.lr={} | compared with a number",
      })
  void aConditionThatCannotBeIsRefusedWithWhatWouldBeRight(String where, String message)
      throws Exception {
    var response = edge.get(TRIALS + "?where=" + URLEncoder.encode(where, UTF_8));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/detail").asText()).contains("'where'").contains(message);
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void pointsAreOfTheKeyThatIsAskedFor() throws Exception {
    edge.answer(Trials.POINTS, Samples.points());

    edge.get("/api/v1/experiments/digits01/points?key=loss&mode=minimize&maxPoints=50");

    assertThat(edge.questions)
        .containsExactly(new Trials.PointsOf(Samples.EXPERIMENT, "loss", Direction.MINIMIZE, 50));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"lr\":0.5}", "{\"parameters\":{\"lr\":0.5}}"})
  void parametersOfAUsersOwnMakeATrial(String body) throws Exception {
    edge.answer(Trials.ADD, Samples.running(null));

    var response = edge.post(TRIALS, body);

    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.headers().firstValue("Location")).hasValue(TRIALS + "/abcde");
    assertThat(edge.questions)
        .containsExactly(new Trials.Add(Samples.EXPERIMENT, new Parameters(Map.of("lr", 0.5))));
  }

  @Test
  void aParameterThatStandsTwiceIsRefused() throws Exception {
    var response = edge.post(TRIALS, "{\"lr\":0.5,\"lr\":0.6}");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/errors/0/pointer").asText()).isEqualTo("/lr");
    assertThat(json(response).at("/errors/0/message").asText()).isEqualTo("this key is here twice");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void parametersThatAreNoObjectAreRefused() throws Exception {
    assertThat(edge.post(TRIALS, "[1]").statusCode()).isEqualTo(400);
  }

  @Test
  void cancelAndRetryArePassedOn() throws Exception {
    edge.answer(Trials.CANCEL, Samples.trial());
    edge.answer(Trials.RETRY, Samples.trial());

    assertThat(edge.post(TRIALS + "/abcde/cancel", "").statusCode()).isEqualTo(200);
    assertThat(edge.post(TRIALS + "/abcde/retry", "").statusCode()).isEqualTo(200);
    assertThat(edge.questions)
        .containsExactly(new Trials.Cancel(Samples.TRIAL), new Trials.Retry(Samples.TRIAL));
  }

  @Test
  void aDryRunGoesToAddressesThatOnlyCheck() throws Exception {
    edge.answer(Trials.CHECK_CANCEL, Samples.trial());
    edge.answer(Trials.CHECK_RETRY, Samples.trial());
    edge.answer(Trials.CHECK_ADD, new Trials.Checked(List.of("Odd.")));
    edge.answer(Trials.CHECK_IMPORT, new Trials.Imported(2, 1, List.of()));
    String import_ = "/api/v1/experiments/digits01/import";

    assertThat(edge.post(TRIALS + "/abcde/cancel?dryRun", "").statusCode()).isEqualTo(200);
    assertThat(edge.post(TRIALS + "/abcde/retry?dryRun=true", "").statusCode()).isEqualTo(200);
    assertThat(json(edge.post(TRIALS + "?dryRun=true", "{\"lr\":0.5}")))
        .isEqualTo(Json.parse("{\"valid\":true,\"notices\":[\"Odd.\"]}"));
    assertThat(json(edge.post(import_ + "?dryRun=true", "[]")).at("/imported").intValue())
        .isEqualTo(2);
  }

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

  @ParameterizedTest
  @CsvSource({
    "/api/v1/experiments/digits01/export?format=xml, format",
    "/api/v1/experiments/digits01/trials?limit=0, limit",
    "/api/v1/experiments/digits01/trials?limit=1001, limit",
    "/api/v1/experiments/digits01/trials?limit=ten, limit",
    "/api/v1/experiments/digits01/trials?limit=1&limit=2, limit",
    "/api/v1/experiments/digits01/trials?status=DONE, status",
    "/api/v1/experiments/digits01/trials?sort=name, sort",
    "/api/v1/experiments/digits01/trials?cursor=a&offset=1, offset",
    "/api/v1/experiments/digits01/trials?offset=-1, offset",
    "/api/v1/experiments/digits01/points?mode=most, mode",
    "/api/v1/experiments/digits01/trials?statsu=FAILED, status",
    "/api/v1/experiments/digits01/trials/abcde/metrics?maxPoints=1, maxPoints",
    "/api/v1/experiments/digits01/trials/abcde/logs/stdout?follow=maybe, follow",
    "/api/v1/experiments/digits01/trials/abcde/logs/stdout?offset=x, offset",
  })
  void aMalformedQueryParameterIsRefusedByName(String path, String name) throws Exception {
    var response = edge.get(path);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/detail").asText()).contains("'" + name + "'");
  }

  @Test
  void aParameterOfSomebodyElseIsLeftAlone() throws Exception {
    edge.answer(Trials.LIST, new Trials.Page(List.of(), null));

    assertThat(edge.get(TRIALS + "?_=1730000000").statusCode()).isEqualTo(200);
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
