package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs pipelines on the training service {@code local}, from documents to artifacts. */
@Timeout(180)
class PipelineJourneyIT extends PipelineJourney {
  // ---- journeys ------------------------------------------------------------------------------

  @Test
  void stepsGetTheirInputsAndTextsAsTheyAreAndFailedOnesAreRepeated() throws Exception {
    Path marker = temp.resolve("second");
    put(
        "flow",
        """
        kind: Pipeline
        name: flow
        parameters: {text: {type: str}, least: {type: int, default: 100}}
        env: {GREETING: "hello {{runner}}"}
        tasks:
          - name: prepare
            command: |
              mkdir "$ORRERY_OUTPUTS/data"
              printf %%s {{parameters.text}} > "$ORRERY_OUTPUTS/data/text"
              echo "orrery: output rows 120"
            outputs: {data: {path: data/}, rows: {value: rows}}
          - name: copy
            command: [sh, -c, 'cp "$ORRERY_INPUTS/in/text" "$ORRERY_OUTPUTS/n"', x]
            inputs: {in: "{{tasks.prepare.outputs.data}}"}
            outputs: {n: {path: n}}
          - name: train
            command: printf %%s "$ORRERY_PARAM_LEAST {{each.seed}} $GREETING $KFJ_RUN_ID" > "$ORRERY_OUTPUTS/score"
            each: {seed: [1, 2]}
            when: "{{tasks.prepare.outputs.rows}} > {{parameters.least}}"
            outputs: {score: {value: score}}
          - name: never
            command: exit 9
            when: "{{tasks.prepare.outputs.rows}} > 1000"
          - name: again
            command: "test -e %s || { touch %s; exit 3; }"
            after: [never]
            retry: {attempts: 2, backoff: 100ms}
          - name: list
            template: python
            arguments: {code: "import os; print(os.environ['SCORES'])"}
            env: {SCORES: "{{tasks.train.outputs.score}}"}
        onExit: {name: tell, command: "echo $ORRERY_RUN_STATUS"}
        """
            .formatted(marker, marker));
    String hostile = "{{7*7}} '; touch " + temp.resolve("broken") + " #\\n\\\"$(id)";

    String id = run("flow", "{\"text\": \"" + hostile + "\"}");
    JsonNode run = awaitEnd(id);

    assertThat(run.get("status").textValue()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(text("/runs/" + id + "/artifacts/copy/n"))
        .isEqualTo("{{7*7}} '; touch " + temp.resolve("broken") + " #\n\"$(id)");
    assertThat(temp.resolve("broken")).doesNotExist();
    assertThat(status(run, "never")).isEqualTo("SKIPPED");
    assertThat(step(run, "never").get("reason").textValue()).contains("120 > 1000");
    assertThat(step(run, "again").get("attempt").intValue()).isEqualTo(2);
    String user = run.get("owner").textValue();
    assertThat(step(run, "train-2").get("outputs").get("score").get("value").textValue())
        .matches("100 2 hello " + user + " [0-9a-f]{32}");
    assertThat(text("/runs/" + id + "/steps/list/logs/stdout"))
        .contains("[\"100 1 hello", "\"100 2 hello");
    assertThat(text("/runs/" + id + "/steps/tell/logs/stdout")).contains("SUCCEEDED");
    assertThat(server.send("GET", "/runs/" + id + "/artifacts/copy/x", BodyPublishers.noBody()))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(404);
  }

  /** Kubeflow Pipelines 4857: the cache serves results that were not asked for. */
  @Test
  void outputsAreTakenOnlyWhereTheCacheIsAskedForAndTheReasonIsShown() throws Exception {
    put(
        "cached",
        """
        name: cached
        parameters: {x: {type: int}}
        tasks:
          - name: a
            command: 'echo "orrery: output v $(date +%N)"'
            cache: {for: 1h}
            outputs: {v: {value: v}}
          - {name: b, command: "true", after: [a]}
        """);

    JsonNode first = awaitEnd(run("cached", "{\"x\": 1}"));
    JsonNode same = awaitEnd(run("cached", "{\"x\": 1}"));
    JsonNode other = awaitEnd(run("cached", "{\"x\": 2}"));

    assertThat(status(first, "a")).isEqualTo("SUCCEEDED");
    assertThat(step(first, "a").get("reason").textValue()).startsWith("cache: no step");
    assertThat(status(same, "a")).isEqualTo("CACHED");
    assertThat(step(same, "a").get("cachedFrom")).isEqualTo(first.get("id"));
    assertThat(step(same, "a").get("outputs")).isEqualTo(step(first, "a").get("outputs"));
    assertThat(status(same, "b")).isEqualTo("SUCCEEDED");
    assertThat(status(other, "a")).isEqualTo("SUCCEEDED");
  }

  private int check(String id, String verb, String body) throws Exception {
    return server
        .send("POST", "/runs/" + id + "/" + verb + "?dryRun=true", BodyPublishers.ofString(body))
        .statusCode();
  }

  @Test
  void aStoppedRunLeavesNoProcessAndARetryGoesOnWithTheSameInputs() throws Exception {
    String mark = "61" + System.nanoTime() % 100_000 + ".7";
    Path go = temp.resolve("go");
    put(
        "long",
        """
        name: long
        tasks:
          - {name: first, command: 'echo "orrery: output v 1"', outputs: {v: {value: v}}}
          - name: wait
            command: "test -e %s && exit 0; sleep %s & sleep %s"
            env: {V: "{{tasks.first.outputs.v}}"}
          - {name: last, command: "true", after: [wait]}
        """
            .formatted(go, mark, mark));
    String id = run("long", "{}");
    await().atMost(PATIENCE).until(() -> status(run(id), "wait").equals("RUNNING"));
    await().atMost(PATIENCE).until(() -> !processes(mark).isEmpty());

    for (String verb : List.of("stop", "pause", "resume")) {
      assertThat(check(id, verb, "")).isEqualTo(200);
    }
    assertThat(check(id, "retry", "")).isEqualTo(409);
    assertThat(run(id).get("status").textValue()).as("after checks").isEqualTo("RUNNING");

    server.post("/runs/" + id + "/stop", "");
    JsonNode stopped = awaitEnd(id);

    assertThat(check(id, "stop", "")).isEqualTo(409);
    assertThat(check(id, "retry", "{\"steps\": [\"wiat\"]}")).isEqualTo(400);
    assertThat(check(id, "retry", "")).isEqualTo(200);
    assertThat(run(id)).as("after checks").isEqualTo(stopped);
    assertThat(stopped.get("status").textValue()).isEqualTo("STOPPED");
    assertThat(status(stopped, "wait")).isEqualTo("STOPPED");
    assertThat(status(stopped, "last")).isEqualTo("STOPPED");
    assertThat(processes(mark)).isEmpty();

    Files.createFile(go);
    server.post("/runs/" + id + "/retry", "");
    JsonNode again = awaitEnd(id);

    assertThat(again.get("status").textValue()).isEqualTo("SUCCEEDED");
    assertThat(step(again, "first").get("attempt").intValue()).isEqualTo(1);
    assertThat(step(again, "wait").get("attempt").intValue()).isEqualTo(2);
  }

  @Test
  void eachStepRunsOnceThoughTheServerIsKilledMeanwhile() throws Exception {
    Path counter = temp.resolve("counter");
    put(
        "many",
        """
        name: many
        parallelism: 3
        tasks:
          - name: count
            command: |
              echo {{each.n}} >> %s; sleep 0.4; echo "orrery: output n {{each.n}}"
            each: {n: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}
            outputs: {n: {value: n}}
          - name: sum
            command: |
              echo all >> %s
            env: {N: "{{tasks.count.outputs.n}}"}
        """
            .formatted(quoted(counter), quoted(counter)));
    String id = run("many", "{}");
    for (int lines : List.of(2, 6, 10)) {
      await()
          .atMost(PATIENCE)
          .until(() -> Files.exists(counter) && Files.readAllLines(counter).size() >= lines);
      server.kill();
      begin();
    }

    JsonNode run = awaitEnd(id);

    assertThat(run.get("status").textValue()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(Files.readAllLines(counter))
        .containsExactlyInAnyOrder(
            "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "all");
  }

  @Test
  void allThatIsWrongIsSaidAtOnceWithItsLineAndNothingIsStored() throws Exception {
    HttpResponse<String> answer =
        server.send(
            "POST",
            "/pipelines/bad/check",
            BodyPublishers.ofString(
                """
                kind: Pipeline
                name: bad
                tasks:
                  - name: a
                    command: echo {{parameters.x}}
                    after: [b]
                  - {name: c, template: nope}
                schedule: {cron: "61 * * * *"}
                """));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("/tasks/0/command", "\"line\":5", "/tasks/0/after/0", "/tasks/1/template")
        .contains("/schedule/cron");
    assertThat(server.send("GET", "/pipelines/bad", BodyPublishers.noBody()).statusCode())
        .isEqualTo(404);
  }

  @Test
  void simulatedStepsAreShownAsOthersAreAndRunNothing() throws Exception {
    put(
        "rehearsal",
        """
        kind: Pipeline
        name: rehearsal
        tasks:
          - name: load
            command: exit 9
            outputs: {rows: {value: rows}, data: {path: data/}}
            trainingService: {platform: simulated, duration: 2m, speed: 600, outputs: {rows: 12}}
          - name: train
            command: exit 9
            when: "{{tasks.load.outputs.rows}} > 10"
            inputs: {data: "{{tasks.load.outputs.data}}"}
            outputs: {model: {path: model.bin}}
            trainingService: {platform: simulated, duration: 1m, speed: 600}
          - {name: look, command: 'cat "$ORRERY_INPUTS/model"', inputs: {model: "{{tasks.train.outputs.model}}"}}
          - {name: fails, command: 'true', trainingService: {platform: simulated, failures: 1, speed: 600}}
          - name: lost
            command: 'true'
            retry: {attempts: 2, backoff: 1s, on: [lost]}
            trainingService: {platform: simulated, losses: 1, speed: 600}
        """);

    String id = run("rehearsal", "{}");
    JsonNode run = awaitEnd(id);

    for (String step : List.of("load", "train", "look")) {
      assertThat(status(run, step)).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    }
    assertThat(step(run, "load").path("platform").asText()).isEqualTo("simulated");
    assertThat(step(run, "load").path("outputs").toString()).contains("12");
    assertThat(text("/runs/" + id + "/steps/look/logs/stdout")).isEqualTo("simulated");
    assertThat(step(run, "fails").path("exitCode").asInt()).isEqualTo(1);
    // Another step that failed would have left what it ran in.
    assertThat(home().resolve("runs").resolve(id).resolve("3-1")).doesNotExist();
    assertThat(step(run, "lost").path("attempt").asInt()).isEqualTo(2);
    assertThat(step(run, "lost").path("reason").asText())
        .contains("the simulated platform lost it");
    assertThat(
            server
                .send("GET", "/runs/" + id + "/steps/load/logs/stdout", BodyPublishers.noBody())
                .body())
        .contains("is simulated: it writes no logs");
    assertThat(
            server
                .send(
                    "POST",
                    "/pipelines/wrong/check",
                    BodyPublishers.ofString(
                        "{name: wrong, tasks: [{name: a, command: 'true', trainingService:"
                            + " {platform: simulated, objective: '1', duration: soon}}]}"))
                .body())
        .contains("/trainingService/objective", "belongs to trials", "/trainingService/duration");
  }
}
