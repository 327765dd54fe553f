package io.orrery.journeys.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mlflow.api.proto.ModelRegistry.ModelVersion;
import org.mlflow.api.proto.Service.CreateRun;
import org.mlflow.api.proto.Service.Metric;
import org.mlflow.api.proto.Service.Param;
import org.mlflow.api.proto.Service.Run;
import org.mlflow.api.proto.Service.RunInfo;
import org.mlflow.api.proto.Service.RunStatus;
import org.mlflow.api.proto.Service.RunTag;
import org.mlflow.api.proto.Service.ViewType;
import org.mlflow.tracking.MlflowClient;
import org.mlflow.tracking.MlflowHttpException;
import org.mlflow.tracking.RunsPage;
import org.mlflow.tracking.creds.BasicMlflowHostCreds;

/**
 * MLflow's own Java client against a server: what it logs, finds and registers, as it was written
 * for MLflow. It leaves artifacts to a Python program, so those go over the REST API as that sends
 * them.
 */
class MlflowClientIT {
  private static final int BATCH = 1_000;
  private static final int POINTS = 10_000;

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();
  private ServerProcess server;

  @AfterEach
  void stop() {
    http.close();
    if (server != null) {
      server.close();
    }
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private MlflowClient client() {
    return new MlflowClient(server.url().toString());
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private JsonNode ok(String method, String path, String body) throws Exception {
    HttpResponse<String> response = send(method, path, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return Json.parse(response.body());
  }

  private static List<Metric> batch(int from) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = from; i < from + BATCH; i++) {
      metrics.add(
          Metric.newBuilder()
              .setKey(i % 2 == 0 ? "loss" : "val/acc")
              .setValue(i % 2 == 0 ? 1.0 / (i + 1) : i)
              .setTimestamp(1_700_000_000_000L + i)
              .setStep(i)
              .build());
    }
    return metrics;
  }

  @Test
  void whatTheClientLogsIsFoundRegisteredAndKept() throws Exception {
    server = ServerProcess.start(home());
    String experiment;
    String run;
    try (MlflowClient client = client()) {
      experiment = client.createExperiment("digits");
      assertThat(client.getExperimentByName("digits")).isPresent();
      assertThat(client.getExperimentByName("letters")).isEmpty();
      assertThatThrownBy(() -> client.createExperiment("digits"))
          .isInstanceOf(MlflowHttpException.class)
          .hasMessageContaining("RESOURCE_ALREADY_EXISTS");
      client.setExperimentTag(experiment, "team", "vision");

      RunInfo first =
          client.createRun(
              CreateRun.newBuilder()
                  .setExperimentId(experiment)
                  .setRunName("first")
                  .addTags(RunTag.newBuilder().setKey("kind").setValue("cnn"))
                  .build());
      run = first.getRunId();
      assertThat(run).matches("[0-9a-f]{32}");
      client.logParam(run, "lr", "0.1");
      client.logParam(run, "lr", "0.1");
      assertThatThrownBy(() -> client.logParam(run, "lr", "0.2"))
          .isInstanceOf(MlflowHttpException.class)
          .hasMessageContaining("INVALID_PARAMETER_VALUE");
      for (int from = 0; from < POINTS; from += BATCH) {
        client.logBatch(
            run,
            batch(from),
            List.of(Param.newBuilder().setKey("epochs").setValue("3").build()),
            List.of(RunTag.newBuilder().setKey("stage").setValue("one").build()));
      }
      // A batch whose answer was lost is sent again.
      client.logBatch(run, batch(0), List.of(), List.of());
      client.logMetric(run, "nan", Double.NaN);
      client.setTag(run, "gone", "x");
      client.deleteTag(run, "gone");
      client.setTerminated(run);

      logged(client, run);
      searched(client, experiment, run);
    }
    artifacts(experiment, run);
    registered(run);

    server.kill();
    server = ServerProcess.start(home());

    try (MlflowClient client = client()) {
      logged(client, run);
      assertThat(client.getModelVersion("digits", "1").getRunId()).isEqualTo(run);
      client.deleteRun(run);
      assertThat(client.listRunInfos(experiment)).hasSize(1);
      assertThat(client.getRun(run).getInfo().getLifecycleStage()).isEqualTo("deleted");
      client.restoreRun(run);
      client.deleteExperiment(experiment);
      assertThatThrownBy(() -> client.createRun(experiment))
          .isInstanceOf(MlflowHttpException.class);
    }
    // A deleted run takes nothing away from the model.
    assertThat(server.text("/api/v1/models/digits/versions/1/file?path=weights.txt"))
        .isEqualTo("w".repeat(2_000));
  }

  private static void logged(MlflowClient client, String id) {
    Run run = client.getRun(id);
    assertThat(run.getInfo().getStatus()).isEqualTo(RunStatus.FINISHED);
    assertThat(run.getInfo().getRunName()).isEqualTo("first");
    assertThat(run.getData().getParamsList())
        .extracting(param -> param.getKey() + "=" + param.getValue())
        .containsExactly("epochs=3", "lr=0.1");
    assertThat(run.getData().getTagsList())
        .extracting(RunTag::getKey)
        .containsExactly("kind", "mlflow.runName", "stage");
    Map<String, Double> latest = new HashMap<>();
    run.getData()
        .getMetricsList()
        .forEach(metric -> latest.put(metric.getKey(), metric.getValue()));
    assertThat(latest)
        .containsEntry("loss", 1.0 / (POINTS - 1))
        .containsEntry("val/acc", POINTS - 1.0)
        .containsEntry("nan", Double.NaN);
    List<Metric> history = client.getMetricHistory(id, "loss");
    assertThat(history).hasSize(POINTS / 2);
    assertThat(history).extracting(Metric::getStep).isSorted();
    assertThat(history.getLast().getValue()).isEqualTo(1.0 / (POINTS - 1));
  }

  private static void searched(MlflowClient client, String experiment, String run) {
    RunInfo other = client.createRun(experiment);
    client.logMetric(other.getRunId(), "loss", 0.5);
    List<String> here = List.of(experiment);

    assertThat(found(client, here, "metrics.loss < 0.1 and params.lr = '0.1'"))
        .containsExactly(run);
    assertThat(found(client, here, "metrics.`val/acc` > 5 AND tags.kind LIKE 'c%'"))
        .containsExactly(run);
    assertThat(found(client, here, "tags.kind LIKE 'C%'")).isEmpty();
    assertThat(found(client, here, "tags.kind ILIKE 'C%'")).containsExactly(run);
    assertThat(found(client, here, "attributes.status = 'RUNNING'"))
        .containsExactly(other.getRunId());
    assertThat(found(client, here, "run_id IN ('%s')".formatted(run))).containsExactly(run);
    assertThat(found(client, here, "metrics.nan > 0")).isEmpty();
    assertThat(found(client, List.of("0"), "")).isEmpty();
    RunsPage page =
        client.searchRuns(here, "", ViewType.ACTIVE_ONLY, 1, List.of("metrics.loss DESC"));
    assertThat(page.getItems().getFirst().getInfo().getRunId()).isEqualTo(other.getRunId());
    assertThat(page.hasNextPage()).isTrue();
    RunsPage next = (RunsPage) page.getNextPage();
    assertThat(next.getItems().getFirst().getInfo().getRunId()).isEqualTo(run);
    assertThat(next.hasNextPage()).isFalse();
    assertThatThrownBy(() -> found(client, here, "metrics.loss"))
        .isInstanceOf(MlflowHttpException.class)
        .hasMessageContaining("INVALID_PARAMETER_VALUE");
    assertThat(client.searchExperiments("tags.team = 'vision'").getItems()).hasSize(1);
  }

  private static List<String> found(MlflowClient client, List<String> experiments, String filter) {
    return client.searchRuns(experiments, filter, ViewType.ACTIVE_ONLY, 1_000).getItems().stream()
        .map(run -> run.getInfo().getRunId())
        .toList();
  }

  private void artifacts(String experiment, String run) throws Exception {
    String proxy = "/api/2.0/mlflow-artifacts/artifacts";
    String root = proxy + "/" + experiment + "/" + run + "/artifacts";
    ok("PUT", root + "/model/weights.txt", "w".repeat(2_000));
    ok("PUT", root + "/model/sub%20dir/notes.txt", "n");
    ok("PUT", root + "/plot.txt", "old");
    ok("PUT", root + "/plot.txt", "new");

    assertThat(send("GET", root + "/plot.txt", "").body()).isEqualTo("new");
    assertThat(
            ok("GET", "/api/2.0/mlflow/artifacts/list?run_id=" + run, "").at("/files").toString())
        .isEqualTo(
            "[{\"path\":\"model\",\"is_dir\":true},"
                + "{\"path\":\"plot.txt\",\"is_dir\":false,\"file_size\":3}]");
    assertThat(
            ok("GET", "/api/2.0/mlflow/artifacts/list?path=model&run_id=" + run, "")
                .at("/files/1/path")
                .textValue())
        .isEqualTo("model/weights.txt");
    assertThat(
            ok("GET", proxy + "?path=" + experiment + "/" + run + "/artifacts/model", "")
                .at("/files/0/path")
                .textValue())
        .isEqualTo("sub dir");
    ok("DELETE", root + "/plot.txt", "");
    assertThat(send("GET", root + "/plot.txt", "").statusCode()).isEqualTo(404);
    assertThat(send("PUT", root + "/../x", "x").statusCode()).isBetween(400, 404);
    assertThat(send("GET", proxy + "/0/" + run + "/artifacts/model/weights.txt", "").body())
        .contains("RESOURCE_DOES_NOT_EXIST");
  }

  private void registered(String run) throws Exception {
    String models = "/api/2.0/mlflow/registered-models/";
    String versions = "/api/2.0/mlflow/model-versions/";
    ok(
        "POST",
        models + "create",
        "{\"name\":\"digits\",\"tags\":[{\"key\":\"t\",\"value\":\"1\"}]}");
    assertThat(send("POST", models + "create", "{\"name\":\"digits\"}").body())
        .contains("RESOURCE_ALREADY_EXISTS");
    ok(
        "POST",
        versions + "create",
        "{\"name\":\"digits\",\"run_id\":\"%s\",\"source\":\"runs:/%s/model\"}"
            .formatted(run, run));
    ok("POST", versions + "create", "{\"name\":\"digits\",\"source\":\"s3://models/2\"}");
    ok("POST", models + "alias", "{\"name\":\"digits\",\"alias\":\"champion\",\"version\":\"1\"}");
    ok(
        "POST",
        versions + "transition-stage",
        "{\"name\":\"digits\",\"version\":\"1\",\"stage\":\"Production\"}");
    ok("PATCH", models + "update", "{\"name\":\"digits\",\"description\":\"Reads digits\"}");
    assertThat(
            ok("GET", models + "alias?name=digits&alias=champion", "")
                .at("/model_version/version")
                .textValue())
        .isEqualTo("1");
    assertThat(ok("GET", models + "search?filter=tags.t%20%3D%20'1'", "").at("/registered_models"))
        .hasSize(1);
    assertThat(
            send("DELETE", versions + "delete", "{\"name\":\"digits\",\"version\":\"1\"}").body())
        .contains("champion");
    try (MlflowClient client = client()) {
      ModelVersion first = client.getModelVersion("digits", "1");
      assertThat(first.getCurrentStage()).isEqualTo("Production");
      assertThat(client.getModelVersionDownloadUri("digits", "1"))
          .isEqualTo("mlflow-artifacts:/models/digits/1");
      assertThat(client.getModelVersionDownloadUri("digits", "2")).isEqualTo("s3://models/2");
      assertThat(client.getLatestVersions("digits")).hasSize(2);
      assertThat(client.getLatestVersions("digits", List.of("Production")))
          .extracting(ModelVersion::getVersion)
          .containsExactly("1");
      assertThat(client.searchModelVersions("name = 'digits'").getItems()).hasSize(2);
      assertThat(client.getRegisteredModel("digits").getDescription()).isEqualTo("Reads digits");
    }
    assertThat(
            send("GET", "/api/2.0/mlflow-artifacts/artifacts/models/digits/1/weights.txt", "")
                .body())
        .isEqualTo("w".repeat(2_000));
    // One registry: the server's own API has the same version.
    assertThat(server.get("/models/digits/versions/1").at("/source/run").textValue())
        .isEqualTo(run);
  }

  @Test
  void aStrangersRunDoesNotExistAndClientsSignInAsTheyDoWithMlflow() throws Exception {
    Files.createDirectories(home());
    Files.writeString(home().resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    server = ServerProcess.start(home());
    try (ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      users.user(root, "sam");
      assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
      String token =
          users
              .send(ann, "POST", "/api/v1/me/tokens", "{\"name\":\"mlflow\"}")
              .json()
              .get("token")
              .textValue();
      String mine;
      try (MlflowClient client =
          new MlflowClient(new BasicMlflowHostCreds(server.url().toString(), token))) {
        String experiment =
            Json.parse(
                    client.sendPost(
                        "experiments/create",
                        "{\"name\":\"eyes\",\"tags\":[{\"key\":\"orrery.project\",\"value\":\"vision\"}]}"))
                .get("experiment_id")
                .textValue();
        mine = client.createRun(experiment).getRunId();
        client.logMetric(mine, "loss", 1);
        assertThat(client.searchExperiments().getItems()).hasSize(2);
      }
      try (MlflowClient stranger = client("sam", ServerUsers.PASSWORD)) {
        assertThat(stranger.searchExperiments().getItems()).hasSize(1);
        assertThat(stranger.getExperimentByName("eyes")).isEmpty();
        assertThatThrownBy(() -> stranger.getRun(mine))
            .isInstanceOf(MlflowHttpException.class)
            .hasMessageContaining("RESOURCE_DOES_NOT_EXIST");
        assertThatThrownBy(() -> stranger.logMetric(mine, "loss", 2))
            .hasMessageContaining("RESOURCE_DOES_NOT_EXIST");
        assertThatThrownBy(() -> stranger.deleteRun(mine))
            .hasMessageContaining("RESOURCE_DOES_NOT_EXIST");
        String own = stranger.createRun().getRunId();
        assertThat(stranger.getRun(own).getInfo().getExperimentId()).isEqualTo("0");
      }
      try (MlflowClient owner = client("ann", ServerUsers.PASSWORD)) {
        assertThat(owner.getMetricHistory(mine, "loss")).hasSize(1);
      }
      try (MlflowClient guess = client("ann", "three blue boats")) {
        assertThatThrownBy(() -> guess.getRun(mine))
            .isInstanceOf(MlflowHttpException.class)
            .hasMessageContaining("401");
      }
    }
    assertThat(send("GET", "/api/2.0/mlflow/runs/get?run_id=x", "").statusCode()).isEqualTo(401);
  }

  private MlflowClient client(String user, String password) {
    return new MlflowClient(new BasicMlflowHostCreds(server.url().toString(), user, password));
  }
}
