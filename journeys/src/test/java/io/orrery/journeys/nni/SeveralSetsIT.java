package io.orrery.journeys.nni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.ServerProcess;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Trials that ask for one parameter set after another: NNI's multi-phase, in a file of version 1.
 */
@Timeout(240)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class SeveralSetsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir static Path directory;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(directory.resolve("home"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Files and lines on stdout; an SDK of our own, and what those of NNI do. */
  @ParameterizedTest
  @CsvSource({
    "phases.py, WANTED=3 python3 -B",
    "phases.py, WANTED=3 REUSE_MODE=true python3 -B",
    "phases_by_hand.py, WANTED=3 python3 -B",
    "phases_by_hand.py, WANTED=3 PRINTED=true python3 -B",
  })
  void eachSetOfATrialIsASuggestionWithAResultOfItsOwn(String script, String python)
      throws Exception {
    String id = create(server, python + " " + script, 2, 3, "TPE");

    JsonNode done = server.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");

    assertThat(done.path("status").asText()).as(done.toString()).isEqualTo("DONE");
    List<JsonNode> trials = server.trials(id);
    assertThat(trials).hasSize(3);
    Set<String> ids = new HashSet<>();
    double best = Double.NEGATIVE_INFINITY;
    for (JsonNode trial : trials) {
      assertThat(trial.path("status").asText()).isEqualTo("SUCCEEDED");
      List<JsonNode> sets = list(trial.path("parameterSets"));
      assertThat(sets).extracting(set -> set.path("index").asInt()).containsExactly(0, 1, 2);
      double own = Double.NEGATIVE_INFINITY;
      for (JsonNode set : sets) {
        ids.add(set.path("parameterId").asText());
        assertThat(set.path("metric")).isEqualTo(set.at("/parameters/x"));
        own = Math.max(own, set.path("metric").asDouble());
      }
      assertThat(trial.path("metric").asDouble()).isEqualTo(own);
      assertThat(trial.at("/parameters/x").asDouble()).isEqualTo(own);
      best = Math.max(best, own);
    }
    assertThat(ids).as("no suggestion is tried twice").hasSize(9);
    assertThat(done.at("/best/metric").asDouble()).isEqualTo(best);
    assertThat(done.at("/best/parameters/x").asDouble()).isEqualTo(best);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PRINTED=true"})
  void aSetWithoutAResultTakesNotThatOfTheSetBefore(String way) throws Exception {
    String id =
        create(server, "WANTED=4 EVERY=2 " + way + " python3 -B phases_by_hand.py", 1, 1, "TPE");

    server.awaitStatus(id, PATIENCE, "DONE");

    List<JsonNode> sets = list(server.trials(id).getFirst().path("parameterSets"));
    assertThat(sets)
        .extracting(set -> set.path("metric"))
        .containsExactly(
            sets.get(0).at("/parameters/x"),
            NullNode.getInstance(),
            sets.get(2).at("/parameters/x"),
            NullNode.getInstance());
  }

  @Test
  void clientsOfNniSeeEachSetAndItsResult() throws Exception {
    String id = create(server, "WANTED=2 python3 -B phases_by_hand.py", 1, 1, "Random");
    server.awaitStatus(id, PATIENCE, "DONE");
    String nni = "/experiments/" + id + "/api/v1/nni/";

    JsonNode trial = Json.parse(server.text(nni + "trial-jobs")).get(0);

    JsonNode own = server.trials(id).getFirst();
    String zero = own.at("/parameterSets/0/parameters/x").toString();
    String one = own.at("/parameterSets/1/parameters/x").toString();
    assertThat(list(trial.path("hyperParameters")))
        .extracting(JsonNode::asText)
        .containsExactly(
            "{\"parameter_id\":0,\"parameter_source\":\"algorithm\",\"parameters\":{\"x\":%s},\"parameter_index\":0}"
                .formatted(zero),
            "{\"parameter_id\":1,\"parameter_source\":\"algorithm\",\"parameters\":{\"x\":%s},\"parameter_index\":1}"
                .formatted(one));
    for (String path : List.of("", "metric-data?type=FINAL", "metric-data-latest")) {
      JsonNode finals =
          path.isEmpty() ? trial.path("finalMetricData") : Json.parse(server.text(nni + path));
      assertThat(list(finals))
          .as(path)
          .extracting(
              metric -> metric.path("parameterId").asText(),
              metric -> metric.path("type").asText(),
              metric -> metric.path("sequence").asInt(),
              metric -> metric.path("data").asText())
          .containsExactlyInAnyOrder(
              tuple("0", "FINAL", 0, "\"" + zero + "\""),
              tuple("1", "FINAL", 0, "\"" + one + "\""));
    }
    String name = own.path("id").asText();
    assertThat(Json.parse(server.text(nni + "export-data")).toString())
        .isEqualTo(
            "[{\"parameter\":{\"x\":%1$s},\"value\":\"%1$s\",\"trialJobId\":\"%3$s\"},{\"parameter\":{\"x\":%2$s},\"value\":\"%2$s\",\"trialJobId\":\"%3$s\"}]"
                .formatted(zero, one, name));
    assertThat(server.text("/api/v1/experiments/" + id + "/export?format=csv"))
        .isEqualTo(
            "x,reward,trialJobId\r\n%1$s,%1$s,%3$s\r\n%2$s,%2$s,%3$s\r\n"
                .formatted(zero, one, name));
  }

  @Test
  void anExperimentThatMovesToAnotherServerTakesTheSetsOfItsTrialsAlong() throws Exception {
    String id = create(server, "WANTED=3 python3 -B phases.py", 1, 2, "TPE");
    JsonNode done = server.awaitStatus(id, PATIENCE, "DONE");
    List<JsonNode> before = server.trials(id);
    String archive = server.text("/api/v1/experiments/" + id + "/archive");

    String moved = "moved" + id.substring(5);
    server.post("/experiments/restore", archive.replace(id, moved));

    List<JsonNode> after = server.trials(moved);
    for (int i = 0; i < 2; i++) {
      for (String member : List.of("parameterSets", "parameters", "metric", "parameterId")) {
        assertThat(after.get(i).get(member)).as(member).isEqualTo(before.get(i).get(member));
      }
    }
    assertThat(server.get("/experiments/" + moved).at("/best/parameters"))
        .isEqualTo(done.at("/best/parameters"));
    server.patch("/experiments/" + moved, "{\"maxTrialNumber\": 3}");
    server.awaitStatus(moved, PATIENCE, "DONE");
    Set<String> ids = new HashSet<>();
    server
        .trials(moved)
        .forEach(trial ->
            trial.path("parameterSets").forEach(set -> ids.add(set.path("parameterId").asText())));
    assertThat(ids).as("numbers of the tuner").hasSize(9);
  }

  @Test
  void aTunerThatHasNoMoreSaysSoAndTheTrialEndsByItself() throws Exception {
    String id =
        server
            .post(
                "/experiments?base=" + scripts(),
                config("WANTED=9 python3 -B phases.py", 1, 9, "GridSearch")
                    .replace("uniform, _value: [0, 1]", "choice, _value: [1, 2, 3]"))
            .path("id")
            .asText();

    JsonNode done = server.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");

    List<JsonNode> sets = new ArrayList<>();
    for (JsonNode trial : server.trials(id)) {
      assertThat(trial.path("status").asText()).isEqualTo("SUCCEEDED");
      if (trial.has("parameterSets")) {
        sets.addAll(list(trial.path("parameterSets")));
      } else {
        sets.add(trial);
      }
    }
    assertThat(sets)
        .extracting(set -> set.path("metric").asInt())
        .containsExactlyInAnyOrder(1, 2, 3);
    assertThat(done.at("/best/metric").asInt()).isEqualTo(3);
  }

  /**
   * Killed again and again while trials ask: they are adopted, and each finds what it was given;
   * the same set is given to no other.
   */
  @ParameterizedTest
  @ValueSource(strings = {"FILED", "PRINTED"})
  void whatWasGivenIsThereAfterTheServerWasKilledAndIsGivenOnce(String way) throws Exception {
    Path home = directory.resolve("killed-" + way);
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id =
          create(
              server, way + "=true WANTED=12 WORK=0.05 python3 -B phases_by_hand.py", 3, 6, "TPE");
      awaitSets(server, id, 4);
      server.kill();
    }
    for (int round = 0; round < 3; round++) {
      try (ServerProcess server = ServerProcess.start(home)) {
        awaitSets(server, id, 10 + 12 * round);
        server.kill();
      }
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      JsonNode done = server.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");

      assertThat(done.path("status").asText()).as(server.log()).isEqualTo("DONE");
      Set<String> ids = new HashSet<>();
      List<JsonNode> trials = server.trials(id);
      assertThat(trials).hasSize(6);
      for (JsonNode trial : trials) {
        assertThat(trial.path("attempt").asInt()).as("it was never run again").isEqualTo(1);
        List<String> tried = new ArrayList<>();
        for (JsonNode set : list(trial.path("parameterSets"))) {
          ids.add(set.path("parameterId").asText());
          tried.add(set.path("parameterId").asText() + " " + set.at("/parameters/x").asDouble());
          assertThat(set.path("metric")).as(trial.toString()).isEqualTo(set.at("/parameters/x"));
        }
        assertThat(Files.readAllLines(Path.of(trial.path("directory").asText(), "tried")))
            .as("what it was given")
            .extracting(line -> line.split(" ")[0] + " " + Double.parseDouble(line.split(" ")[1]))
            .containsExactlyElementsOf(tried);
        assertThat(tried).hasSize(12);
      }
      assertThat(ids).hasSize(6 * 12);
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  @Test
  void whereATrialHasOneSetThisIsSaidBeforeAnythingRuns() throws Exception {
    String config =
        """
        trialCommand: "true"
        trialConcurrency: 1
        maxTrialNumber: 1
        multiPhase: true
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random}
        trainingService: {platform: simulated, objective: x, duration: 1s}
        """;

    assertThatThrownBy(() -> server.post("/experiments?base=" + scripts(), config))
        .hasMessageContaining("/multiPhase")
        .hasMessageContaining("gets one parameter set");
  }

  private static void awaitSets(ServerProcess server, String id, int count) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      int sets =
          server.trials(id).stream().mapToInt(trial -> trial.path("parameterSets").size()).sum();
      if (sets >= count) {
        return;
      }
      assertThat(System.nanoTime()).as(sets + " sets\n" + server.log()).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  private static String create(
      ServerProcess server, String command, int concurrency, int trials, String tuner)
      throws Exception {
    return server
        .post("/experiments?base=" + scripts(), config(command, concurrency, trials, tuner))
        .path("id")
        .asText();
  }

  private static String config(String command, int concurrency, int trials, String tuner) {
    return """
    authorName: author
    experimentName: phases
    trialConcurrency: %d
    maxTrialNum: %d
    trainingServicePlatform: local
    multiPhase: true
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {builtinTunerName: %s}
    trial: {command: %s, codeDir: .}
    """
        .formatted(concurrency, trials, tuner, command);
  }

  /** The folder of the scripts, encoded for a query. */
  private static String scripts() throws Exception {
    Path folder = Path.of(SeveralSetsIT.class.getResource("/nni/trials").toURI());
    return URLEncoder.encode(folder.toString(), UTF_8);
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
