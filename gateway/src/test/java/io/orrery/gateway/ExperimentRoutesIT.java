package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Experiments.Action;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentRoutesIT {
  /** The local user is the owner where no caller is asked. */
  private static final ResourceOwner OWN =
      new ResourceOwner(ProjectName.PUBLIC, System.getProperty("user.name"));

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
  void aCreatedExperimentAnswersWithItsShapeItsPlaceAndTheNotices() throws Exception {
    edge.answer(
        Experiments.CREATE,
        new Experiments.Created(Samples.experiment(), Samples.spec(), List.of("Maximizing.")));

    var response = edge.post("/api/v1/experiments?base=%2Fhome%2Fme", "trialCommand: ä\n");

    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.headers().firstValue("Location")).hasValue("/api/v1/experiments/digits01");
    assertThat(edge.questions)
        .containsExactly(
            new Experiments.Create("trialCommand: ä\n", "/home/me", false, null, OWN, true));
    JsonNode body = json(response);
    assertThat(body.at("/id").asText()).isEqualTo("digits01");
    assertThat(body.at("/notices/0").asText()).isEqualTo("Maximizing.");
  }

  @Test
  void aDryRunAnswersWithWhatWasUnderstood() throws Exception {
    edge.answer(
        Experiments.CREATE, new Experiments.Created(null, Samples.spec(), List.of("A notice.")));

    var response = edge.post("/api/v1/experiments?dryRun=true", "{}");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).at("/valid").asBoolean()).isTrue();
    assertThat(json(response).at("/notices/0").asText()).isEqualTo("A notice.");
    assertThat(json(response).at("/config/trialCommand").asText()).isEqualTo("python3 train.py");
    assertThat(edge.questions)
        .containsExactly(new Experiments.Create("{}", null, true, null, OWN, true));
  }

  @Test
  void anExperimentHasTheShapeThatTheInterfaceFixes() throws Exception {
    edge.answer(Experiments.GET, Samples.experiment());

    JsonNode body = json(edge.get("/api/v1/experiments/digits01"));

    assertThat(body.at("/name").asText()).isEqualTo("digits");
    assertThat(body.at("/status").asText()).isEqualTo("RUNNING");
    assertThat(body.at("/platform").asText()).isEqualTo("local");
    assertThat(body.at("/tuner").asText()).isEqualTo("TPE");
    assertThat(body.at("/trialConcurrency").asInt()).isEqualTo(4);
    assertThat(body.at("/maxTrialNumber").asInt()).isEqualTo(100);
    assertThat(body.at("/maxExperimentDuration").toString()).isEqualTo("5400");
    assertThat(body.at("/trialCounts").toString()).isEqualTo("{\"RUNNING\":2,\"SUCCEEDED\":3}");
    assertThat(body.at("/best").toString())
        .isEqualTo("{\"trial\":\"abcde\",\"metric\":0.93,\"parameters\":{\"lr\":0.01}}");
    assertThat(body.at("/createdAt").asText()).isEqualTo("2026-01-31T12:00:00.000Z");
    assertThat(body.at("/startedAt").asText()).isEqualTo("2026-01-31T12:00:01.000Z");
    assertThat(body.has("endedAt")).isTrue();
    assertThat(body.get("endedAt").isNull()).isTrue();
    assertThat(body.get("error").isNull()).isTrue();
  }

  @Test
  void anExperimentIsShownWithoutTagsWhileNoServerHasThem() throws Exception {
    edge.answer(Experiments.GET, Samples.experiment());
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(Samples.experiment()), null));
    edge.answer(Trials.LIST, new Trials.Page(List.of(Samples.trial()), null, null));
    assertThat(json(edge.get("/api/v1/experiments/digits01")).has("tags")).isTrue();
    edge.loseTags();

    JsonNode one = json(edge.get("/api/v1/experiments/digits01"));
    JsonNode listed = json(edge.get("/api/v1/experiments")).at("/items/0");
    JsonNode trial = json(edge.get("/api/v1/experiments/digits01/trials")).at("/items/0");

    assertThat(one.at("/id").asText()).isEqualTo("digits01");
    assertThat(listed.at("/id").asText()).isEqualTo("digits01");
    assertThat(trial.at("/experiment").asText()).isEqualTo("digits01");
    assertThat(List.of(one, listed, trial)).noneMatch(shown -> shown.has("tags"));
  }

  @Test
  void aPasswordInTheConfigurationIsNeverShown() throws Exception {
    edge.answer(Experiments.GET, Samples.experiment());

    var response = edge.get("/api/v1/experiments/digits01");

    assertThat(response.body()).doesNotContain("hunter2");
    assertThat(json(response).at("/config/trainingService/machineList/0/password").asText())
        .isEqualTo("******");
    assertThat(json(response).at("/config/tuner/classArgs/token").asText()).isEqualTo("kept");
  }

  @Test
  void aListIsPagedAndLeavesConfigurationsOut() throws Exception {
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(Samples.experiment()), "more"));

    JsonNode body = json(edge.get("/api/v1/experiments?cursor=abc&limit=7"));

    assertThat(body.at("/items/0/id").asText()).isEqualTo("digits01");
    assertThat(body.at("/items/0").has("config")).isFalse();
    assertThat(body.at("/next").asText()).isEqualTo("more");
    assertThat(edge.questions).containsExactly(Experiments.ListAll.of("abc", 7));
  }

  @Test
  void theLastPageHasNoNext() throws Exception {
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(), null));

    assertThat(edge.get("/api/v1/experiments").body()).isEqualTo("{\"items\":[],\"next\":null}");
    assertThat(edge.questions).containsExactly(Experiments.ListAll.of(null, 100));
  }

  @ParameterizedTest
  @CsvSource({"POST, /stop, STOP", "POST, /pause, PAUSE", "POST, /resume, RESUME"})
  void aCommandIsPassedOnAndAnswersWithTheExperiment(String method, String verb, Action action)
      throws Exception {
    edge.answer(Experiments.COMMAND, Samples.experiment());

    var response = edge.send(method, "/api/v1/experiments/digits01" + verb, "");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).at("/id").asText()).isEqualTo("digits01");
    assertThat(edge.questions).containsExactly(new Experiments.Command(Samples.EXPERIMENT, action));
  }

  /** K5. */
  @Test
  void deletingSaysWhatMayBeLeftOnThePlatform() throws Exception {
    String left = "Objects of the experiment may be left in its cluster.";
    edge.answer(Experiments.DELETE, new Experiments.Deleted(Samples.experiment(), List.of(left)));

    var response = edge.send("DELETE", "/api/v1/experiments/digits01", "");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).at("/id").asText()).isEqualTo("digits01");
    assertThat(json(response).at("/notices/0").asText()).isEqualTo(left);
    assertThat(edge.questions).containsExactly(new Experiments.Delete(Samples.EXPERIMENT));
  }

  @Test
  void aChangeIsPassedOnAsItCame() throws Exception {
    edge.answer(Experiments.CHANGE, Samples.experiment());

    var response = edge.send("PATCH", "/api/v1/experiments/digits01", "{\"maxTrialNumber\":null}");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(edge.questions)
        .containsExactly(new Experiments.Change(Samples.EXPERIMENT, "{\"maxTrialNumber\":null}"));
  }

  @Test
  void aDryRunGoesToAddressesThatOnlyCheck() throws Exception {
    edge.answer(Experiments.CHECK_CHANGE, Samples.experiment());
    edge.answer(Experiments.CHECK_COMMAND, Samples.experiment());
    String one = "/api/v1/experiments/digits01";

    assertThat(edge.send("PATCH", one + "?dryRun=true", "{}").statusCode()).isEqualTo(200);
    assertThat(edge.post(one + "/pause?dryRun=true", "").statusCode()).isEqualTo(200);
  }

  @Test
  void aDryRunOfWhatHasNoExperimentGoesToAddressesThatOnlyCheck() throws Exception {
    var rule = new Retentions.Rule(Retentions.Kind.RUNS, 30, null, null, null);
    edge.answer(Tuners.CHECK_REGISTER, new Tuners.Told());
    edge.answer(Routes.CHECK_REPLACE, new Routes.Table(List.of(), List.of(), "1"));
    edge.answer(Retentions.CHECK_PUT, rule);
    edge.answer(Retentions.CHECK_RUN, new Retentions.Rules(List.of(rule)));
    String walk = "{\"name\":\"walk\",\"kind\":\"tuner\",\"className\":\"walk.Walk\"}";

    for (String[] asked :
        new String[][] {
          {"POST", "/tuners", walk},
          {"PUT", "/routes", "services: []"},
          {"PUT", "/retention/runs", "{\"keepDays\":30}"},
          {"POST", "/retention/run", ""}
        }) {
      String path = "/api/v1" + asked[1] + "?dryRun=true";
      assertThat(edge.send(asked[0], path, asked[2]).statusCode()).as(path).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"[], JSON object", "{, not JSON", "'', empty"})
  void aChangeThatIsNoObjectIsRefusedBeforeItIsStored(String body, String message)
      throws Exception {
    edge.answer(Experiments.CHANGE, Samples.experiment());

    var response = edge.send("PATCH", "/api/v1/experiments/digits01", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).at("/errors/0/message").asText()).contains(message);
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void everyFindingOfARefusedConfigurationReachesItsAuthor() throws Exception {
    edge.on(
        Experiments.CREATE,
        question ->
            Future.failedFuture(
                Problem.Refused.of(
                        List.of(
                            new Finding("/tuner/name", "no such tuner (did you mean 'TPE'?)", 7),
                            new Finding("/trialCommand", "is missing")))
                    .toException()));

    var response = edge.post("/api/v1/experiments", "tuner: {name: TPF}");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    JsonNode body = json(response);
    assertThat(body.at("/type").asText()).isEqualTo("/problems/refused");
    assertThat(body.at("/status").asInt()).isEqualTo(400);
    assertThat(body.at("/detail").asText()).contains("2 things");
    assertThat(body.at("/errors/0/pointer").asText()).isEqualTo("/tuner/name");
    assertThat(body.at("/errors/0/line").asInt()).isEqualTo(7);
    assertThat(body.at("/errors/1").toString())
        .isEqualTo("{\"pointer\":\"/trialCommand\",\"message\":\"is missing\"}");
  }

  @Test
  void aConfigurationThatIsNotUtf8IsRefused() throws Exception {
    edge.answer(Experiments.CREATE, new Experiments.Created(null, Samples.spec(), List.of()));
    try (RawClient raw = edge.raw()) {
      raw.write(
          "POST /api/v1/experiments HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n\u00ff\u00fe");

      assertThat(raw.answer()).startsWith("HTTP/1.1 400").contains("UTF-8");
    }
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void theCatalogueOfAlgorithmsIsServed() throws Exception {
    edge.answer(
        Tuners.LIST,
        new Tuners.Catalogue(
            List.of(
                new Tuners.Algorithm(
                    "TPE",
                    List.of("tpe"),
                    "tuner",
                    "Parzen estimators.",
                    Map.of("uniform", true),
                    true,
                    List.of(new Tuners.Argument("seed", "integer", "0", "Of randomness."))))));

    JsonNode body = json(edge.get("/api/v1/tuners"));

    assertThat(body.at("/items/0/name").asText()).isEqualTo("TPE");
    assertThat(body.at("/items/0/types/uniform").asBoolean()).isTrue();
    assertThat(body.at("/items/0/arguments/0/default").asText()).isEqualTo("0");
  }
}
