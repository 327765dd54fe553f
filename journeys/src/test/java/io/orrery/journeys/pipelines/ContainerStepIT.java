package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.container.PodmanEngine;
import io.orrery.core.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs steps as containers of a real Podman. */
@Timeout(300)
class ContainerStepIT extends PipelineJourney {
  private static PodmanEngine podman;

  @BeforeAll
  static void startPodman() throws Exception {
    podman = PodmanEngine.start();
  }

  @AfterAll
  static void stopPodman() throws Exception {
    if (podman != null) {
      podman.close();
    }
  }

  @Override
  void configure() throws Exception {
    Files.writeString(
        home().resolve("orrery.yml"),
        "clusters: {box: {runtime: container, network: host, socket: 'unix://%s'}}\n"
            .formatted(podman.socket()));
  }

  private String containers() throws Exception {
    return podman.podman("ps", "--all", "--no-trunc", "--format", "{{.Names}}").strip();
  }

  private String task(String name, String mounts, String more) {
    return """
      - name: %s
        image: %s
        volume_mount: "%s"
    %s
    """
        .formatted(name, PodmanEngine.IMAGE, mounts, more.indent(4));
  }

  @Test
  void aStepInAContainerGetsItsInputsAndTextsAsTheyAreAndGivesItsOutputs() throws Exception {
    put(
        "boxed",
        """
        kind: Pipeline
        name: boxed
        parameters: {text: {type: str}}
        tasks:
          - {name: here, command: 'printf %s {{parameters.text}} > "$ORRERY_OUTPUTS/t"', outputs: {t: {path: t}}}
        """
            + task(
                "shell",
                podman.mounts(),
                """
                inputs: {t: "{{tasks.here.outputs.t}}"}
                command: |
                  printf %s {{parameters.text}} > "$ORRERY_OUTPUTS/again"
                  cat "$ORRERY_INPUTS/t"; echo problem >&2
                  echo; echo "orrery: output n 3"
                outputs: {again: {path: again}, n: {value: n}}
                """)
            + task(
                "words",
                podman.mounts(),
                """
                command: [python3, -c, "import sys, os; print(sys.argv[1]); print(os.environ['N'], os.environ['ORRERY_PARAM_TEXT'])", "{{parameters.text}}"]
                env: {N: "{{tasks.shell.outputs.n}}"}
                resources: {cpu: 1, memory: 256M}
                """)
            + task("fails", podman.mounts(), "command: exit 7"));
    String hostile = "{{7*7}} '\" $(id) `id` ; rm -rf /tmp/x # \\ \nnext";

    String id = run("boxed", Json.write(Map.of("text", hostile)));
    JsonNode run = awaitEnd(id);

    assertThat(status(run, "shell")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(text("/runs/" + id + "/artifacts/shell/again")).isEqualTo(hostile);
    assertThat(text("/runs/" + id + "/steps/shell/logs/stdout"))
        .isEqualTo(hostile + "\norrery: output n 3\n");
    assertThat(text("/runs/" + id + "/steps/shell/logs/stderr")).isEqualTo("problem\n");
    assertThat(text("/runs/" + id + "/steps/words/logs/stdout"))
        .isEqualTo(hostile + "\n3 " + hostile + "\n");
    assertThat(step(run, "fails").path("exitCode").asInt()).isEqualTo(7);
    assertThat(step(run, "fails").path("platform").asText()).isEqualTo("container");
    await().atMost(PATIENCE).until(() -> containers().isEmpty());
  }

  @Test
  void aContainerGoesOnWhenServerAndEngineAreKilledAndAStopLeavesNone() throws Exception {
    Path counter = Files.createFile(temp.toAbsolutePath().resolve("counter"));
    String mounts = podman.mounts() + "," + counter + "(hostpath):" + counter;
    put(
        "kept",
        "kind: Pipeline\nname: kept\ntasks:\n"
            + task(
                "counts",
                mounts,
                "command: echo one >> %s; sleep 6; echo done".formatted(quoted(counter)))
            + task("waits", podman.mounts(), "command: sleep 600\nafter: [counts]"));
    String id = run("kept", "{}");
    await().atMost(PATIENCE).until(() -> Files.size(counter) > 0);
    // What happens to a start that the engine has not noted has tests of its own.
    await().atMost(PATIENCE).until(() -> status(run(id), "counts").equals("RUNNING"));

    server.kill();
    podman.kill();
    podman.serve();
    begin();

    await().atMost(PATIENCE).until(() -> status(run(id), "waits").equals("RUNNING"));
    assertThat(Files.readAllLines(counter)).containsExactly("one");
    assertThat(text("/runs/" + id + "/steps/counts/logs/stdout")).isEqualTo("done\n");
    assertThat(containers()).contains("run-" + id + "-s1-1");

    server.post("/runs/" + id + "/stop", "");
    assertThat(status(awaitEnd(id), "waits")).isEqualTo("STOPPED");
    assertThat(containers()).isEmpty();
  }

  @Test
  void aProgramThatTheEngineLostIsEndedAndTheStepRunsAgain() throws Exception {
    Path counter = Files.createFile(temp.toAbsolutePath().resolve("starts"));
    put(
        "lost",
        "kind: Pipeline\nname: lost\ntasks:\n"
            + task(
                "counts",
                podman.mounts() + "," + counter + "(hostpath):" + counter,
                """
                command: echo begun; echo one >> %s; sleep 600
                retry: {attempts: 2, backoff: 1h, on: [lost]}
                """
                    .formatted(quoted(counter))));

    // A container whose program has not begun is made anew.
    podman.killAfter("create");
    podman.killAfter("start");
    String id = run("lost", "{}");
    podman.serveAgain();
    podman.serveAgain();

    await()
        .atMost(PATIENCE)
        .until(() -> step(run(id), "counts").path("reason").asText().contains("the next starts"));
    JsonNode step = step(run(id), "counts");
    assertThat(step.path("reason").asText())
        .startsWith("attempt 1 failed: the container engine lost track of container orrery-")
        .contains("; its program was ended; the next starts at");
    assertThat(step.path("exitCode").isNumber()).isFalse();
    assertThat(text("/runs/" + id + "/steps/counts/logs/stdout?attempt=1")).isEqualTo("begun\n");
    assertThat(Files.readAllLines(counter)).containsExactly("one");
    assertThat(containers()).isEmpty();
  }

  @Test
  void aMissingImageIsSaidWhenATemplateIsSavedAndInTheStep() throws Exception {
    HttpResponse<String> saved =
        server.send(
            "PUT",
            "/templates/gone",
            BodyPublishers.ofString(
                "{kind: Template, name: gone, image: '127.0.0.1:9/team/app:1', command: ['true']}"));
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(201);
    assertThat(saved.body()).contains("box: image 127.0.0.1:9/team/app:1 is not there");
    put("gone", "{name: gone, tasks: [{name: a, template: gone}]}");

    JsonNode run = awaitEnd(run("gone", "{}"));

    assertThat(status(run, "a")).isEqualTo("FAILED");
    assertThat(step(run, "a").path("reason").asText()).contains("cannot be pulled");
    HttpResponse<String> moon =
        server.send(
            "POST",
            "/pipelines/moon/check",
            BodyPublishers.ofString(
                "{name: moon, tasks: [{name: a, image: x, cluster: moon, command: 'true'}]}"));
    assertThat(moon.body()).contains("no cluster 'moon' runs containers of steps; there is box");
  }
}
