package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs tasks alone, opens shells in their place, and deletes runs. */
@Timeout(180)
class SingleTaskIT extends PipelineJourney {
  private void putTwo() throws Exception {
    put(
        "two",
        """
        kind: Pipeline
        name: two
        parameters: {word: {type: str, default: first}}
        tasks:
          - name: prepare
            command: printf %s {{parameters.word}} > "$ORRERY_OUTPUTS/data"
            outputs: {data: {path: data}}
          - name: train
            command: cat "$ORRERY_INPUTS/in"; echo " $ORRERY_PARAM_WORD"
            inputs: {in: "{{tasks.prepare.outputs.data}}"}
            when: "{{parameters.word}} == first"
        """);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return server.send(method, path, BodyPublishers.noBody());
  }

  private String start(String path, String body) throws Exception {
    return server.post("/pipelines/two/tasks/" + path, body).path("id").asText();
  }

  private String checked(String path, String body, int status) throws Exception {
    HttpResponse<String> answer =
        server.send(
            "POST", "/pipelines/two/tasks/" + path + "?dryRun=true", BodyPublishers.ofString(body));
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
    return answer.body();
  }

  @Test
  void aTaskIsRunAloneWithOutputsOfAnEarlierRunAndClearedAfterwards() throws Exception {
    putTwo();
    HttpResponse<String> early =
        server.send("POST", "/pipelines/two/tasks/train/run", BodyPublishers.ofString("{}"));
    assertThat(early.statusCode()).isEqualTo(409);
    assertThat(early.body()).contains("No run of pipeline two has outputs of prepare");
    assertThat(checked("train/run", "{}", 409)).isEqualTo(early.body());
    String first = run("two", "{}");
    awaitEnd(first);
    awaitEnd(run("two", "{\"word\": \"second\"}"));

    assertThat(checked("train/run", "{\"parameters\": {\"word\": 3}}", 200)).contains("true");
    assertThat(checked("train/debug", "{\"from\": \"" + first + "\"}", 200)).contains("true");
    checked("train/run", "{\"parameters\": {\"wort\": \"x\"}}", 400);
    checked("trian/debug", "{}", 404);
    assertThat(server.get("/runs").path("items")).hasSize(2);
    String alone = start("train/run", "{\"parameters\": {\"word\": \"third\"}}");
    String of = start("train/run", "{\"from\": \"" + first + "\"}");

    JsonNode run = awaitEnd(alone);
    assertThat(run.path("trigger").asText()).isEqualTo("task train");
    assertThat(status(run, "prepare")).isEqualTo("CACHED");
    assertThat(status(run, "train")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(text("/runs/" + alone + "/steps/train/logs/stdout")).isEqualTo("second third\n");
    awaitEnd(of);
    assertThat(text("/pipelines/two/tasks/train/log")).isEqualTo("first first\n");
    assertThat(send("GET", "/pipelines/two/tasks/prepare/log").statusCode()).isEqualTo(404);
    assertThat(send("POST", "/pipelines/two/tasks/trian/run").body()).contains("train");

    String wouldBe = checked("train/clear", "", 200);
    assertThat(server.get("/runs").path("items")).hasSize(4);
    JsonNode cleared = server.post("/pipelines/two/tasks/train/clear", "");
    assertThat(cleared.path("deleted")).hasSize(2);
    assertThat(Json.parse(wouldBe)).isEqualTo(cleared);
    assertThat(send("GET", "/runs/" + alone).statusCode()).isEqualTo(404);
    assertThat(send("GET", "/runs/" + first).statusCode()).isEqualTo(200);
  }

  @Test
  void aShellIsKeptWhereATaskWouldRunUntilItIsCleared() throws Exception {
    putTwo();
    awaitEnd(run("two", "{}"));

    JsonNode debug = server.post("/pipelines/two/tasks/train/debug", "");
    String id = debug.path("id").asText();
    String workload = debug.path("workload").asText();

    assertThat(workload).isEqualTo("shell-" + id);
    await()
        .atMost(PATIENCE)
        .until(() -> send("GET", "/workloads/" + workload).body().contains("\"status\":\"READY\""));
    Path directory = home().resolve("runs").resolve(id).resolve("1-1");
    assertThat(directory.resolve("inputs").resolve("in")).hasContent("first");
    server.kill();
    begin();
    assertThat(status(run(id), "train")).isEqualTo("RUNNING");

    server.post("/pipelines/two/tasks/train/clear", "");

    assertThat(send("GET", "/runs/" + id).statusCode()).isEqualTo(404);
    await().atMost(PATIENCE).until(() -> send("GET", "/workloads/" + workload).statusCode() == 404);
    await().atMost(PATIENCE).until(() -> !Files.exists(directory));
  }

  @Test
  void aRunIsDeletedWhenItIsOverAndNothingRefersToIt() throws Exception {
    put(
        "made",
        """
        kind: Pipeline
        name: made
        tasks:
          - {name: train, command: 'echo 1 > "$ORRERY_OUTPUTS/model"', outputs: {model: {path: model}}}
          - {name: register, model: {name: kept, from: "{{tasks.train.outputs.model}}"}}
        """);
    put("slow", "{name: slow, tasks: [{name: a, command: sleep 600}]}");
    String made = run("made", "{}");
    awaitEnd(made);
    String slow = run("slow", "{}");
    await().atMost(PATIENCE).until(() -> status(run(slow), "a").equals("RUNNING"));

    assertThat(send("DELETE", "/runs/" + slow).statusCode()).isEqualTo(409);
    HttpResponse<String> used = send("DELETE", "/runs/" + made);
    assertThat(used.statusCode()).isEqualTo(409);
    assertThat(used.body()).contains("version 1 of model kept");

    server.post("/runs/" + slow + "/stop", "");
    awaitEnd(slow);
    assertThat(send("DELETE", "/runs/" + slow).statusCode()).isEqualTo(204);
    assertThat(send("GET", "/runs/" + slow).statusCode()).isEqualTo(404);
    assertThat(List.of(server.get("/runs").path("items").size())).containsExactly(1);
    await().atMost(PATIENCE).until(() -> !Files.exists(home().resolve("runs").resolve(slow)));
  }
}
