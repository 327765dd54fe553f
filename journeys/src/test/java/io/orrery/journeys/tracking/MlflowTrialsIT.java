package io.orrery.journeys.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mlflow.api.proto.Service.CreateRun;
import org.mlflow.api.proto.Service.Experiment;
import org.mlflow.api.proto.Service.Metric;
import org.mlflow.api.proto.Service.Run;
import org.mlflow.api.proto.Service.RunStatus;
import org.mlflow.api.proto.Service.ViewType;
import org.mlflow.tracking.ExperimentsPage;
import org.mlflow.tracking.MlflowClient;
import org.mlflow.tracking.MlflowHttpException;
import org.mlflow.tracking.RunsPage;
import org.mlflow.tracking.creds.BasicMlflowHostCreds;

/** Experiments and their trials, read by MLflow's own Java client beside what it logged itself. */
@Timeout(240)
class MlflowTrialsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Reports two values on the way, and a result with two numbers. */
  private static final String TRIAL =
      """
      echo "orrery: intermediate 0.$ORRERY_PARAM_X"
      echo "orrery: intermediate 0.${ORRERY_PARAM_X}5"
      if [ "$FILES$ORRERY_PARAM_X" = many3 ]; then
        mkdir "$NNI_OUTPUT_DIR/many" && cd "$NNI_OUTPUT_DIR/many"
        seq -f %05g 0 10000 | xargs touch && echo hello > 10000
      fi
      echo "orrery: final {\\"default\\": $ORRERY_PARAM_X, \\"loss\\": 0.5}"
      """;

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();
  private ServerProcess server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    http.close();
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private String configuration(String name, String files) throws Exception {
    Files.writeString(temp.resolve("trial.sh"), TRIAL);
    return """
    experimentName: %s
    trialCommand: FILES=%s bash trial.sh
    trialCodeDirectory: %s
    trialConcurrency: 2
    searchSpace: {x: {_type: choice, _value: [1, 2, 3]}, kind: {_type: choice, _value: [cnn]}}
    tuner: {name: GridSearch}
    trainingService: {platform: local}
    """
        .formatted(name, files, temp.toAbsolutePath());
  }

  private static List<String> found(
      MlflowClient client, List<String> experiments, String filter, String order) {
    List<String> found = new ArrayList<>();
    RunsPage page = client.searchRuns(experiments, filter, ViewType.ACTIVE_ONLY, 2, List.of(order));
    while (true) {
      page.getItems().forEach(run -> found.add(x(run)));
      if (!page.hasNextPage()) {
        return found;
      }
      page = (RunsPage) page.getNextPage();
    }
  }

  /** The parameter x of a trial, or the name of a run without one. */
  private static String x(Run run) {
    return run.getData().getParamsList().stream()
        .filter(param -> param.getKey().equals("x"))
        .findFirst()
        .map(param -> param.getValue())
        .orElse(run.getInfo().getRunName());
  }

  @Test
  void trialsAreRunsBesideThoseThatClientsLog() throws Exception {
    server = ServerProcess.start(home());
    String id = server.post("/experiments", configuration("digits", "many")).get("id").textValue();
    server.awaitStatus(id, PATIENCE, "DONE");
    String name = "digits (" + id + ")";
    String trials = "experiment-" + id;

    try (MlflowClient client = new MlflowClient(server.url().toString())) {
      String own = client.createExperiment("digits");
      String logged =
          client
              .createRun(CreateRun.newBuilder().setExperimentId(own).setRunName("mine").build())
              .getRunId();
      client.logMetric(logged, "default", 2.5);

      // A client that looks for its own experiment of the same name does not get the search.
      assertThat(client.getExperimentByName("digits").map(Experiment::getExperimentId))
          .contains(own);
      assertThat(client.getExperimentByName(name).map(Experiment::getExperimentId))
          .contains(trials);
      assertThat(client.getExperiment(trials).getName()).isEqualTo(name);
      ExperimentsPage first =
          client.searchExperiments("", ViewType.ACTIVE_ONLY, 2, List.of("name DESC"));
      assertThat(first.getItems()).extracting(Experiment::getName).containsExactly(name, "digits");
      assertThat(first.getNextPage().getItems())
          .extracting(Experiment::getName)
          .containsExactly("Default");
      assertThat(client.searchExperiments("name LIKE 'digits (%'").getItems()).hasSize(1);

      List<String> here = List.of(trials);
      List<String> both = List.of(own, trials);
      assertThat(found(client, here, "", "metrics.default DESC")).containsExactly("3", "2", "1");
      assertThat(found(client, both, "", "metrics.default DESC"))
          .containsExactly("3", "mine", "2", "1");
      assertThat(found(client, both, "metrics.default < 2.7", "metrics.default"))
          .containsExactly("1", "2", "mine");
      assertThat(found(client, both, "params.kind = 'cnn' and metrics.loss < 1", "params.x"))
          .containsExactly("1", "2", "3");
      assertThat(found(client, both, "status = 'RUNNING'", "run_name")).containsExactly("mine");
      assertThatThrownBy(() -> found(client, here, "metrics.default", "run_name"))
          .hasMessageContaining("INVALID_PARAMETER_VALUE");

      Run best =
          client.searchRuns(here, "params.x = '3'", ViewType.ACTIVE_ONLY, 10).getItems().getFirst();
      read(client, client.getRun(best.getInfo().getRunId()), id);
      files(client, client.getRun(best.getInfo().getRunId()), trials);
      refused(client, best.getInfo().getRunId(), trials);
    }
  }

  private void read(MlflowClient client, Run run, String id) throws Exception {
    String runId = run.getInfo().getRunId();
    assertThat(run.getInfo().getStatus()).isEqualTo(RunStatus.FINISHED);
    assertThat(run.getInfo().getEndTime()).isGreaterThanOrEqualTo(run.getInfo().getStartTime());
    assertThat(run.getData().getMetricsList())
        .extracting(metric -> metric.getKey() + "=" + metric.getValue() + "@" + metric.getStep())
        .containsExactly("default=3.0@2", "loss=0.5@2");
    assertThat(run.getData().getTagsList())
        .extracting(tag -> tag.getKey() + "=" + tag.getValue())
        .contains("orrery.experiment=" + id, "orrery.project=public", "orrery.status=SUCCEEDED");
    List<Metric> history = client.getMetricHistory(runId, "default");
    assertThat(history).extracting(Metric::getValue).containsExactly(0.3, 0.35, 3.0);
    assertThat(history).extracting(Metric::getStep).containsExactly(0L, 1L, 2L);
    assertThat(history).extracting(Metric::getTimestamp).isSorted();
    assertThat(client.getMetricHistory(runId, "loss"))
        .extracting(Metric::getValue)
        .containsExactly(0.5);
    assertThat(client.getMetricHistory(runId, "nothing")).isEmpty();
    assertThat(
            client.sendGet("metrics/get-history?metric_key=default&max_results=1&run_id=" + runId))
        .contains("next_page_token");
    assertThat(client.sendGet("artifacts/list?run_id=" + runId)).contains("files");
  }

  /** A directory with more files than a page has. */
  private void files(MlflowClient client, Run run, String experiment) throws Exception {
    String list = "artifacts/list?run_id=" + run.getInfo().getRunId();
    JsonNode root = Json.parse(client.sendGet(list));
    String many =
        root.path("files").findValuesAsText("path").stream()
            .filter(path -> path.endsWith("many"))
            .findFirst()
            .orElse("output/many");
    JsonNode first = Json.parse(client.sendGet(list + "&path=" + many));
    assertThat(first.path("files")).as(root.toString()).hasSize(10_000);
    JsonNode second =
        Json.parse(
            client.sendGet(
                list + "&path=" + many + "&page_token=" + first.path("next_page_token").asText()));
    assertThat(second.path("files").toString())
        .isEqualTo("[{\"path\":\"%s/10000\",\"is_dir\":false,\"file_size\":6}]".formatted(many));
    assertThat(second.has("next_page_token")).isFalse();

    String proxy = experiment + "/" + run.getInfo().getRunId() + "/artifacts";
    HttpResponse<String> whole = artifact("?path=" + proxy + "/" + many);
    assertThat(whole.statusCode()).as(whole.body()).isEqualTo(413);
    assertThat(whole.body()).contains("INVALID_PARAMETER_VALUE", "10,000", "artifacts/list");
    HttpResponse<String> last = artifact("/" + proxy + "/" + many + "/10000");
    assertThat(last.statusCode()).isEqualTo(200);
    assertThat(last.body()).isEqualTo("hello\n");
    HttpResponse<String> empty = artifact("/" + proxy + "/" + many + "/00000");
    assertThat(empty.statusCode()).isEqualTo(200);
    assertThat(empty.body()).isEmpty();
    for (String none : List.of("/" + many, "/" + many + "/10001", "/" + many + "/", "", "/")) {
      HttpResponse<String> missing = artifact("/" + proxy + none);
      assertThat(missing.statusCode()).as(none).isEqualTo(404);
      assertThat(missing.body()).as(none).contains("RESOURCE_DOES_NOT_EXIST", "no artifact");
    }
  }

  private HttpResponse<String> artifact(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(server.url().resolve("/api/2.0/mlflow-artifacts/artifacts" + path))
            .build(),
        BodyHandlers.ofString());
  }

  private static void refused(MlflowClient client, String run, String experiment) {
    List<Runnable> writes =
        List.of(
            () -> client.logMetric(run, "default", 1),
            () -> client.logParam(run, "a", "b"),
            () -> client.setTag(run, "a", "b"),
            () -> client.logBatch(run, List.of(), List.of(), List.of()),
            () -> client.setTerminated(run),
            () -> client.deleteRun(run),
            () -> client.createRun(experiment),
            () -> client.renameExperiment(experiment, "x"),
            () -> client.setExperimentTag(experiment, "a", "b"),
            () -> client.deleteExperiment(experiment));
    for (Runnable write : writes) {
      assertThatThrownBy(write::run)
          .isInstanceOf(MlflowHttpException.class)
          .hasMessageContaining("INVALID_PARAMETER_VALUE")
          .hasMessageContaining("a search");
    }
  }

  @Test
  void aStrangerFindsNothingAndIsToldWhatIsToldOfAMissingOne() throws Exception {
    Files.createDirectories(home());
    Files.writeString(home().resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    server = ServerProcess.start(home());
    try (ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      users.user(root, "sam");
      assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
      String id =
          users
              .send(
                  root, "POST", "/api/v1/experiments?project=vision", configuration("eyes", "few"))
              .json()
              .get("id")
              .textValue();
      String experiment = "experiment-" + id;
      String run;
      try (MlflowClient owner = client("ann")) {
        run = awaitTrial(owner, experiment);
        assertThat(owner.getRun(run).getInfo().getExperimentId()).isEqualTo(experiment);
        assertThat(owner.searchExperiments().getItems()).hasSize(2);
      }
      try (MlflowClient stranger = client("sam")) {
        assertThat(stranger.searchExperiments().getItems()).hasSize(1);
        assertThat(stranger.getExperimentByName("eyes (" + id + ")")).isEmpty();
        assertThat(stranger.searchRuns(List.of(experiment), "", ViewType.ALL, 10).getItems())
            .isEmpty();
        String none = "trial-" + id.length() + "-" + id + "-none0";
        sameAnswer(() -> stranger.getRun(run), run, () -> stranger.getRun(none), none);
        sameAnswer(
            () -> stranger.getExperiment(experiment),
            experiment,
            () -> stranger.getExperiment("experiment-none0000"),
            "experiment-none0000");
        sameAnswer(
            () -> stranger.logMetric(run, "a", 1),
            run,
            () -> stranger.logMetric(none, "a", 1),
            none);
        sameAnswer(
            () -> stranger.getMetricHistory(run, "default"),
            run,
            () -> stranger.getMetricHistory(none, "default"),
            none);
        sameAnswer(
            () -> stranger.createRun(experiment),
            experiment,
            () -> stranger.createRun("experiment-none0000"),
            "experiment-none0000");
      }
    }
  }

  private static String awaitTrial(MlflowClient client, String experiment) {
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .searchRuns(List.of(experiment), "", ViewType.ACTIVE_ONLY, 1)
                    .getItems()
                    .stream()
                    .map(run -> run.getInfo().getRunId())
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Of both the answer is that there is none, in the same words but for the id. */
  private static void sameAnswer(
      Runnable hidden, String hiddenId, Runnable missing, String missingId) {
    String told = message(hidden);
    assertThat(told).contains("RESOURCE_DOES_NOT_EXIST");
    assertThat(told.replace(hiddenId, "ID")).isEqualTo(message(missing).replace(missingId, "ID"));
  }

  private static String message(Runnable call) {
    try {
      call.run();
    } catch (MlflowHttpException e) {
      return e.getBodyMessage();
    }
    throw new AssertionError("no failure");
  }

  private MlflowClient client(String user) {
    return new MlflowClient(
        new BasicMlflowHostCreds(server.url().toString(), user, ServerUsers.PASSWORD));
  }
}
