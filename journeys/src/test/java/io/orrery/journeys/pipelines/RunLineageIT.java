package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Follows what steps made: to the steps that used it, and into the model registry. */
@Timeout(180)
class RunLineageIT extends PipelineJourney {
  private static JsonNode artifact(JsonNode lineage, String step, String name) {
    return StreamSupport.stream(lineage.path("artifacts").spliterator(), false)
        .filter(each -> each.path("step").asText().equals(step))
        .filter(each -> each.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(step + " and " + name + " in " + lineage));
  }

  /** The text and the exit code of a command, at the server of this test. */
  private record Printed(int code, String text) {}

  private Printed orrery(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(ServerProcess.command(arguments));
    command.addAll(List.of("--server", server.url().toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Printed(process.waitFor(), text);
  }

  @Test
  void artifactsNameTheirUsesAndBecomeVersionsOfModels() throws Exception {
    put(
        "line",
        """
        kind: Pipeline
        name: line
        tasks:
          - name: prepare
            command: |
              mkdir "$ORRERY_OUTPUTS/data" && echo 1 > "$ORRERY_OUTPUTS/data/one" && echo 2 > "$ORRERY_OUTPUTS/data/two"
              echo "orrery: output rows 2"
            outputs: {data: {path: data}, rows: {value: rows}}
          - name: train
            each: {n: [1, 2]}
            command: cat "$ORRERY_INPUTS/in/one" > "$ORRERY_OUTPUTS/model"; test {{tasks.prepare.outputs.rows}} = 2
            inputs: {in: "{{tasks.prepare.outputs.data}}"}
            outputs: {model: {path: model}}
        """);
    String run = run("line", "{}");
    assertThat(awaitEnd(run).path("status").asText())
        .as(run(run).toPrettyString())
        .isEqualTo("SUCCEEDED");
    String first = step(run(run), "train-1").path("name").asText();

    JsonNode lineage = server.get("/runs/" + run + "/lineage");

    assertThat(lineage.path("run").asText()).isEqualTo(run);
    JsonNode data = artifact(lineage, "prepare", "data");
    assertThat(data.path("kind").asText()).isEqualTo("directory");
    assertThat(data.path("digest").asText()).hasSize(64);
    JsonNode rows = artifact(lineage, "prepare", "rows");
    assertThat(rows.path("value").asText()).isEqualTo("2");
    assertThat(artifact(lineage, first, "model").path("task").asText()).isEqualTo("train");
    assertThat(lineage.path("uses")).hasSize(4);
    JsonNode use = lineage.path("uses").get(0);
    assertThat(use.path("step").asText()).isEqualTo("train-1");
    assertThat(use.path("input").asText()).isEqualTo("in");
    assertThat(use.path("task").asText() + "." + use.path("name").asText())
        .isEqualTo("prepare.data");
    assertThat(lineage.path("uses").get(1).path("input").isNull()).isTrue();

    Printed directory = orrery("model", "register", "lines", "--from-run", run + "/prepare/data");
    Printed file = orrery("model", "register", "lines", "--from-run", run + "/" + first + "/model");
    String prepared = run + "/prepare/data";
    Printed part = orrery("model", "register", "lines", "two", "--from-run", prepared);
    Printed outside = orrery("model", "register", "lines", "../..", "--from-run", prepared);
    Printed none = orrery("model", "register", "lines", "--from-run", run + "/prepare/nothing");
    Printed bad = orrery("model", "register", "lines", "--from-run", run);

    assertThat(directory).isEqualTo(new Printed(0, "lines version 1\n"));
    assertThat(file).isEqualTo(new Printed(0, "lines version 2\n"));
    assertThat(part).isEqualTo(new Printed(0, "lines version 3\n"));
    assertThat(outside.code()).isEqualTo(2);
    assertThat(outside.text()).contains("has no file or directory ../..");
    assertThat(none.code()).as(none.text()).isEqualTo(1);
    assertThat(none.text()).contains("has no output nothing");
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.text()).contains("RUN/STEP/NAME");
    JsonNode version = server.get("/models/lines/versions/1");
    assertThat(version.path("source").path("run").asText()).isEqualTo(run);
    assertThat(version.path("source").path("step").asText()).isEqualTo("prepare");
    JsonNode files = server.get("/models/lines/versions/1/files").path("items");
    assertThat(files.findValuesAsText("path")).containsExactly("one", "two");
    JsonNode only = server.get("/models/lines/versions/3/files").path("items");
    assertThat(only.findValuesAsText("path")).containsExactly("two");

    BodyPublisher number = BodyPublishers.ofString("{\"version\": 3}");
    assertThat(server.send("PUT", "/models/lines/aliases/latest-good", number).statusCode())
        .isEqualTo(200);
    assertThat(server.get("/models/lines").at("/aliases/latest-good").textValue()).isEqualTo("3");
  }
}
