package io.orrery.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Draws graphs of runs as text. */
class RunDrawingTest {
  private static final JsonNode DIGITS =
      Json.parse(
          """
          {"tasks": [
            {"name": "prepare", "command": "x"},
            {"name": "train", "command": "x", "inputs": {"d": "{{tasks.prepare.outputs.data}}"}},
            {"name": "search", "experiment": "e.yml", "after": ["prepare"]},
            {"name": "pick", "command": "x {{ tasks.train.outputs.m }}", "after": ["search"]},
            {"name": "apart", "command": "x"}]}
          """);

  private static String step(String name, String task, String status, String more) {
    return "{\"name\": \"%s\", \"task\": \"%s\", \"status\": \"%s\"%s}"
        .formatted(name, task, status, more);
  }

  private static JsonNode run(String... steps) {
    return Json.parse("{\"steps\": [" + String.join(",", steps) + "]}");
  }

  @Test
  void eachTaskStandsBelowOneThatItWaitsForAndNamesTheOthers() {
    JsonNode run =
        run(
            step("prepare", "prepare", "SUCCEEDED", ""),
            step("train-1", "train", "SUCCEEDED", ""),
            step("train-2", "train", "RUNNING", ""),
            step("train-3", "train", "READY", ", \"reason\": \"3 of 3 run\""),
            step("search", "search", "FAILED", ", \"reason\": \"exit code 2\\nand more\""),
            step("pick", "pick", "BLOCKED", ""),
            step("apart", "apart", "CACHED", ", \"reason\": \"as in run r1\""),
            step("onExit", "onExit", "BLOCKED", ""));

    assertThat(RunDrawing.of(run, DIGITS).lines(run))
        .containsExactly(
            "prepare     SUCCEEDED",
            "├─ train    RUNNING    1 of 3",
            "└─ search   FAILED     exit code 2",
            "   └─ pick  BLOCKED    after train too",
            "apart       CACHED     as in run r1",
            "onExit      BLOCKED");
  }

  @Test
  void tasksWithoutStepsAreLeftOutAndWithoutADocumentThereAreNoEdges() {
    JsonNode run =
        run(step("train", "train", "RUNNING", ""), step("prepare", "prepare", "CACHED", ""));

    assertThat(RunDrawing.of(run, DIGITS).lines(run))
        .containsExactly("prepare   CACHED", "└─ train  RUNNING");
    assertThat(RunDrawing.of(run, null).lines(run))
        .containsExactly("train    RUNNING", "prepare  CACHED");
  }

  @Test
  void manyTasksAreEachDrawnOnce() {
    String tasks =
        IntStream.range(0, 500)
            .mapToObj(i ->
                "{\"name\": \"t%d\", \"after\": [%s]}"
                    .formatted(i, i == 0 ? "" : "\"t" + (i - 1) / 2 + "\", \"t" + i / 2 + "\""))
            .collect(Collectors.joining(","));
    JsonNode run =
        run(
            IntStream.range(0, 500)
                .mapToObj(i -> step("t" + i, "t" + i, "BLOCKED", ""))
                .toArray(String[]::new));

    assertThat(RunDrawing.of(run, Json.parse("{\"tasks\": [" + tasks + "]}")).lines(run))
        .hasSize(500)
        .doesNotHaveDuplicates();
  }
}
