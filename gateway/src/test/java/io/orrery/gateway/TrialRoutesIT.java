package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialStatus;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrialRoutesIT extends TrialRoutesFixture {
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
  void aParameterOfAnotherPartyIsLeftAlone() throws Exception {
    edge.answer(Trials.LIST, new Trials.Page(List.of(), null));

    assertThat(edge.get(TRIALS + "?_=1730000000").statusCode()).isEqualTo(200);
  }
}
