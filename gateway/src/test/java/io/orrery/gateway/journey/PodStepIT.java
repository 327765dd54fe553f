package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.orchestrator.platform.kubernetes.MockCluster;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs steps as pods of a cluster whose pods are processes of this machine. */
@Timeout(300)
class PodStepIT extends PipelineJourney {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";

  private MockCluster cluster;

  @Override
  void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Path kubeconfig = cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"));
    Files.writeString(
        home().resolve("orrery.yml"),
        "clusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {pipeline: trials}}}\n"
            .formatted(kubeconfig));
  }

  @AfterEach
  void stopCluster() throws Exception {
    cluster.close();
  }

  private static String task(String name, String more) {
    return "  - name: %s\n    image: python:3\n    cluster: kube\n%s"
        .formatted(name, more.indent(4));
  }

  @Test
  void aStepInAPodGetsItsInputsAndTextsAsTheyAreAndGivesItsOutputs() throws Exception {
    put(
        "podded",
        """
        kind: Pipeline
        name: podded
        parameters: {text: {type: str}}
        env: {PRICE: "$(ORRERY_RUN) costs $$5", FAIR: no}
        tasks:
          - name: here
            command: |
              printf %s {{parameters.text}} > "$ORRERY_OUTPUTS/t"
              mkdir "$ORRERY_OUTPUTS/d"; echo a > "$ORRERY_OUTPUTS/d/.nniignore"; echo b > "$ORRERY_OUTPUTS/d/a"
            outputs: {t: {path: t}, d: {path: d}}
        """
            + task(
                "shell",
                """
                inputs: {t: "{{tasks.here.outputs.t}}", d: "{{tasks.here.outputs.d}}"}
                command: |
                  printf %s {{parameters.text}} > "$ORRERY_OUTPUTS/again"
                  cat "$ORRERY_INPUTS/t"; echo problem >&2
                  echo; cat "$ORRERY_INPUTS/d/a"; echo "$PRICE $FAIR"; echo "orrery: output n 3"
                  mkdir "$ORRERY_OUTPUTS/tree"; cd "$ORRERY_OUTPUTS/tree"
                  echo '#!/bin/sh' > program; chmod +x program; ln program same; ln -s program link; mkdir none
                outputs: {again: {path: again}, n: {value: n}, tree: {path: tree}}
                """)
            + task(
                "words",
                """
                inputs: {tree: "{{tasks.shell.outputs.tree}}"}
                command: [python3, -c, "import sys, os; print(sys.argv[1]); print(os.environ['N'], os.environ['ORRERY_PARAM_TEXT'], os.environ['K8S_POD_NAME'][:8]); t = os.environ['ORRERY_INPUTS'] + '/tree'; print(sorted(os.listdir(t)), os.readlink(t + '/link'), os.access(t + '/program', os.X_OK))", "{{parameters.text}}"]
                env: {N: "{{tasks.shell.outputs.n}}"}
                resources: {cpu: 1, memory: 256M, gpu: 0}
                """)
            + task("fails", "command: exit 7"));
    String hostile = "{{7*7}} '\" $(id) `id` ; rm -rf /tmp/x # \\ $$ $(KFJ_RUN_ID)\nnext";

    String id = run("podded", Json.write(Map.of("text", hostile)));
    JsonNode run = awaitEnd(id);

    assertThat(status(run, "words")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(text("/runs/" + id + "/artifacts/shell/again")).isEqualTo(hostile);
    assertThat(text("/runs/" + id + "/steps/shell/logs/stdout"))
        .isEqualTo(hostile + "\nb\n$(ORRERY_RUN) costs $$5 no\norrery: output n 3\n");
    assertThat(text("/runs/" + id + "/steps/shell/logs/stderr")).isEqualTo("problem\n");
    assertThat(text("/runs/" + id + "/steps/words/logs/stdout"))
        .isEqualTo(
            hostile
                + "\n3 "
                + hostile
                + " nni-exp-\n['link', 'none', 'program', 'same'] program True\n");
    assertThat(step(run, "fails").path("exitCode").asInt()).isEqualTo(7);
    assertThat(step(run, "fails").path("platform").asText()).isEqualTo("pods");
    for (JsonNode pod : cluster.list("/api/v1/namespaces/trials/pods")) {
      assertThat(pod.toString()).as("values lie in Secrets").doesNotContain("costs", "rm -rf");
    }

    server.send("DELETE", "/runs/" + id, BodyPublishers.noBody());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(cluster.list(JOBS)).isEmpty();
          assertThat(cluster.list("/api/v1/namespaces/trials/secrets")).isEmpty();
          assertThat(home().resolve("code")).isEmptyDirectory();
        });
  }

  @Test
  void aPodGoesOnWhenTheServerIsKilledAndAStopLeavesNone() throws Exception {
    Path counter = Files.createFile(temp.toAbsolutePath().resolve("counter"));
    Path gate = temp.toAbsolutePath().resolve("gate");
    put(
        "kept",
        "kind: Pipeline\nname: kept\ntasks:\n"
            + task(
                "counts",
                """
                command: |
                  echo one >> %s
                  while [ ! -e %s ]; do sleep 0.1; done
                  echo done | tee "$ORRERY_OUTPUTS/word"
                outputs: {word: {path: word}}
                """
                    .formatted(quoted(counter), quoted(gate)))
            + task(
                "waits",
                """
                command: cat "$ORRERY_INPUTS/word" && sleep 617
                inputs: {word: "{{tasks.counts.outputs.word}}"}
                """));
    String id = run("kept", "{}");
    await().atMost(PATIENCE).until(() -> Files.size(counter) > 0);

    int port = server.url().getPort();
    server.kill();
    Files.createFile(gate);
    server =
        ServerProcess.begin(
                home(), List.of("--port", Integer.toString(port), "--router-port", "off"), Map.of())
            .ready();

    await().atMost(PATIENCE).until(() -> status(run(id), "waits").equals("RUNNING"));
    assertThat(Files.readAllLines(counter)).containsExactly("one");
    assertThat(text("/runs/" + id + "/steps/counts/logs/stdout")).isEqualTo("done\n");
    await()
        .atMost(PATIENCE)
        .until(() -> text("/runs/" + id + "/steps/waits/logs/stdout").equals("done\n"));

    server.post("/runs/" + id + "/stop", "");
    assertThat(status(awaitEnd(id), "waits")).isEqualTo("STOPPED");
    assertThat(processes("sleep\000617")).isEmpty();
  }

  @Test
  void aStepThatFailsIsTriedAgainAndOneThatIsLateIsEnded() throws Exception {
    Path counter = Files.createFile(temp.toAbsolutePath().resolve("counter"));
    put(
        "again",
        "kind: Pipeline\nname: again\ntasks:\n"
            + task(
                "second",
                """
                command: |
                  echo one >> %s
                  test "$(wc -l < %s)" -eq 2
                retry: {attempts: 2}
                """
                    .formatted(quoted(counter), quoted(counter)))
            + task("late", "command: sleep 601\ntimeout: 2s"));

    JsonNode run = awaitEnd(run("again", "{}"));

    assertThat(status(run, "second")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(step(run, "second").path("attempt").asInt()).isEqualTo(2);
    assertThat(status(run, "late")).isEqualTo("FAILED");
    assertThat(processes("sleep\000601")).isEmpty();
  }

  @Test
  void whatAPodCannotHaveIsSaidWhenThePipelineIsSaved() throws Exception {
    String answer =
        server
            .send(
                "POST",
                "/pipelines/no/check",
                BodyPublishers.ofString(
                    "kind: Pipeline\nname: no\ntasks:\n"
                        + task(
                            "a",
                            "command: 'true'\nvolume_mount: '/etc(hostpath):/etc,x(secret):/x'")))
            .body();

    assertThat(answer).contains("hostpath").contains("secret");
    assertThat(List.of(answer)).noneMatch(text -> text.contains("\"findings\":[]"));
  }
}
