package io.orrery.journeys.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.json.Json;
import io.orrery.journeys.ClusterHome;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs steps as pods of a cluster whose pods are processes of this machine. */
@Timeout(300)
class PodStepIT extends PipelineJourney {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";

  private static final String SECRETS = "/api/v1/namespaces/trials/secrets";

  private MockCluster cluster;

  @Override
  void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    ClusterHome.write(cluster, home(), "pipeline");
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
          assertThat(cluster.list(SECRETS)).isEmpty();
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

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
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

  /** Complaint 5 of the page of guarantees. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theLogOfAFailedStepStaysWhenItsJobAndPodAreGone() throws Exception {
    put(
        "gone",
        "kind: Pipeline\nname: gone\ntasks:\n"
            + task("fails", "command: echo the last words; echo why >&2; exit 9"));
    String id = run("gone", "{}");
    assertThat(step(awaitEnd(id), "fails").path("exitCode").asInt()).isEqualTo(9);

    for (JsonNode job : cluster.list(JOBS)) {
      cluster.delete(JOBS + "/" + job.at("/metadata/name").textValue());
    }
    await().atMost(PATIENCE).until(() -> cluster.list(JOBS).isEmpty());

    assertThat(text("/runs/" + id + "/steps/fails/logs/stdout")).isEqualTo("the last words\n");
    assertThat(text("/runs/" + id + "/steps/fails/logs/stderr")).isEqualTo("why\n");
    assertThat(step(run(id), "fails").path("status").asText()).isEqualTo("FAILED");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aPrivateImageIsPulledWithTheAccountOfTheProject() throws Exception {
    String account =
        "{\"server\": \"registry.example.com/team\", \"user\": \"ann\", \"password\": \"%s\"}";
    server.send("PUT", "/registries/hub", BodyPublishers.ofString(account.formatted("secret:hub")));
    put(
        "pulled",
        """
        kind: Pipeline
        name: pulled
        tasks:
          - {name: private, image: "registry.example.com/team/train:1", command: "true"}
          - {name: open, image: "python:3", command: "true"}
        """);
    JsonNode refused = awaitEnd(run("pulled", "{}"));
    assertThat(step(refused, "private").path("reason").asText()).contains("hub");
    assertThat(status(refused, "open")).isEqualTo("SUCCEEDED");

    server.send(
        "PUT",
        "/projects/public/secrets/hub",
        BodyPublishers.ofString("{\"value\": \"plover-31\"}"));
    String id = run("pulled", "{}");
    JsonNode run = awaitEnd(id);

    assertThat(status(run, "private")).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    List<String> named = new ArrayList<>();
    for (JsonNode job : cluster.list(JOBS)) {
      assertThat(job.toString()).doesNotContain("plover-31");
      job.at("/spec/template/spec/imagePullSecrets")
          .forEach(secret -> named.add(secret.path("name").textValue()));
    }
    assertThat(named).hasSize(1);
    JsonNode secret =
        cluster.list(SECRETS).stream()
            .filter(each -> each.at("/metadata/name").textValue().equals(named.getFirst()))
            .findFirst()
            .orElseThrow();
    assertThat(secret.path("type").textValue()).isEqualTo("kubernetes.io/dockerconfigjson");
    String config = secret.at("/data").path(".dockerconfigjson").textValue();
    assertThat(decoded(config))
        .contains("registry.example.com")
        .contains(Base64.getEncoder().encodeToString("ann:plover-31".getBytes(UTF_8)));
    assertThat(server.log() + run).doesNotContain("plover-31");

    server.send("DELETE", "/runs/" + id, BodyPublishers.noBody());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(cluster.list(SECRETS))
                .noneMatch(each -> each.at("/metadata/name").textValue().equals(named.getFirst())));
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
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
