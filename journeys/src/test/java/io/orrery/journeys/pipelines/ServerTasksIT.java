package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs pipelines with tasks that the server does itself: searches, registrations, deployments. */
@Timeout(180)
class ServerTasksIT extends PipelineJourney {
  private static final String SEARCH =
      """
      kind: Pipeline
      name: search
      tasks:
        - name: search
          experiment:
            base: %s
            config: |
              searchSpace: {x: {_type: choice, _value: [1, 2, 3]}}
              trialCommand: python3 trial.py
              trialCodeDirectory: .
              trialConcurrency: 2
              maxTrialNumber: 3
              tuner: {name: GridSearch}
              trainingService: {platform: local}
      """;

  private void writeTrial(String body) throws IOException {
    Files.writeString(
        temp.resolve("trial.py"), "import nni, time\nx = nni.get_next_parameter()['x']\n" + body);
  }

  @Test
  void aSearchIsTrainedRegisteredDeployedAndTested() throws Exception {
    writeTrial("nni.report_final_result(10 * x)\n");
    put(
        "search",
        SEARCH.formatted(quoted(temp.toAbsolutePath()))
            + """
              - name: train
                command: |
                  mkdir "$ORRERY_OUTPUTS/model"
                  printf %s {{tasks.search.outputs.best.parameters}} > "$ORRERY_OUTPUTS/model/weights.json"
                  mkdir "$ORRERY_OUTPUTS/model/empty"; : > "$ORRERY_OUTPUTS/model/empty/file"
                outputs: {model: {path: model/}}
              - {name: register, model: {name: found, from: "{{tasks.train.outputs.model}}", alias: production}}
              - name: deploy
                after: [register]
                service:
                  name: found
                  command: python3 -m http.server --bind 127.0.0.1 $PORT
                  ports: [8080]
              - name: test
                command: python3 -c "import sys, urllib.request as r; print(r.urlopen('http://' + sys.argv[1]).status)" {{tasks.deploy.outputs.endpoint}}
            """
                .indent(0));

    String id = run("search", "{}");
    JsonNode run = awaitEnd(id);

    assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
    assertThat(output(run, "search", "best.metric")).isEqualTo("30.0");
    assertThat(output(run, "search", "best.parameters")).isEqualTo("{\"x\":3}");
    String experiment = output(run, "search", "experiment");
    assertThat(server.get("/experiments/" + experiment).path("status").asText()).isEqualTo("DONE");
    JsonNode version = server.get("/models/found/versions/" + output(run, "register", "version"));
    assertThat(version.path("aliases").path(0).asText()).isEqualTo("production");
    assertThat(version.path("source").path("run").asText()).isEqualTo(id);
    assertThat(version.path("source").path("step").asText()).isEqualTo("register");
    assertThat(text("/runs/" + id + "/steps/test/logs/stdout")).isEqualTo("200\n");
    HttpResponse<String> log =
        server.send("GET", "/runs/" + id + "/steps/search/logs/stdout", BodyPublishers.noBody());
    assertThat(log.statusCode()).isEqualTo(404);
    assertThat(log.body()).contains("done by the server");
    server.send("DELETE", "/services/found", BodyPublishers.noBody());
  }

  private static String output(JsonNode run, String step, String name) {
    return step(run, step).path("outputs").path(name).path("value").asText();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aSearchThatIsStoppedEndsItsExperimentAlsoAfterAKill() throws Exception {
    writeTrial("time.sleep(600)\n");
    put("search", SEARCH.formatted(quoted(temp.toAbsolutePath())));
    String id = run("search", "{}");
    await().atMost(PATIENCE).until(() -> status(run(id), "search").equals("RUNNING"));
    String experiment = id + "-0-1";
    await()
        .atMost(PATIENCE)
        .until(
            () -> server.get("/experiments/" + experiment).path("status").asText(),
            "RUNNING"::equals);

    server.kill();
    begin();
    await().atMost(PATIENCE).until(() -> status(run(id), "search").equals("RUNNING"));
    server.post("/runs/" + id + "/stop", "{}");
    // What was acknowledged is carried out by the next server, if this one has not yet done it.
    server.kill();
    begin();

    assertThat(awaitEnd(id).path("status").asText()).isEqualTo("STOPPED");
    assertThat(server.get("/experiments/" + experiment).path("status").asText())
        .isEqualTo("STOPPED");
    assertThat(server.get("/experiments").path("items")).hasSize(1);
  }

  @Test
  void aServiceThatIsNotReadyWhenItsRunIsStoppedIsDeletedIfTheRunHasCreatedIt() throws Exception {
    put(
        "deploy",
        """
        kind: Pipeline
        name: deploy
        tasks:
          - name: deploy
            service: {name: slow, command: sleep 600, ports: [8080]}
        """);
    String id = run("deploy", "{}");
    await()
        .atMost(PATIENCE)
        .until(() ->
            server.send("GET", "/services/slow", BodyPublishers.noBody()).statusCode() == 200);

    server.post("/runs/" + id + "/stop", "{}");

    assertThat(awaitEnd(id).path("status").asText()).isEqualTo("STOPPED");
    assertThat(server.send("GET", "/services/slow", BodyPublishers.noBody()).statusCode())
        .isEqualTo(404);
  }

  @Test
  void whatIsWrongWithAnExperimentOrServiceIsAFindingOfThePipeline() throws Exception {
    HttpResponse<String> answer =
        server.send(
            "PUT",
            "/pipelines/odd",
            BodyPublishers.ofString(
                """
                kind: Pipeline
                name: odd
                tasks:
                  - {name: search, experiment: {config: {trialCommand: x, maxTrialNumber: -1}}}
                  - {name: deploy, service: {name: odd, command: x, ports: [70000]}}
                """));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("/tasks/0/experiment/config/maxTrialNumber")
        .contains("/tasks/1/service/ports");
  }
}
