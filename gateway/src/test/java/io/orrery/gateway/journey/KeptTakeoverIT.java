package io.orrery.gateway.journey;

import static io.orrery.gateway.journey.ServersTogether.PATIENCE;
import static io.orrery.gateway.journey.ServersTogether.await;
import static io.orrery.gateway.journey.ServersTogether.awaitMore;
import static io.orrery.gateway.journey.ServersTogether.owners;
import static io.orrery.gateway.journey.ServersTogether.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import io.orrery.orchestrator.platform.kubernetes.MockCluster;
import io.orrery.orchestrator.platform.openpai.StandInOpenPai;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that share trials which run elsewhere, under keepers that call them: the owner is killed,
 * then its heir is stopped for longer than its lease and comes back. Every trial runs once, and all
 * that it reported and printed is there.
 */
class KeptTakeoverIT {
  private static final int LEASE = 6;
  private static final int CONCURRENCY = 4;

  @TempDir Path temp;
  private Path ran;

  /** Notes that it ran, reports three times while it does, and its own number at the end. */
  private String config(String service) throws IOException {
    ran = Files.createDirectories(temp.resolve("ran"));
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(
        code.resolve("trial.sh"),
        """
        echo began >>"%s/$NNI_TRIAL_JOB_ID"
        for i in 1 2 3; do
          echo "orrery: intermediate $i"
          sleep 0.4
        done
        echo "orrery: final $NNI_TRIAL_SEQ_ID"
        """
            .formatted(ran));
    return """
    trialCommand: sh trial.sh
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: 100000
    trialGpuNumber: 0
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService:
    %s
    """
        .formatted(code, CONCURRENCY, service.indent(2).stripTrailing());
  }

  private static ServerProcess at(String url, List<ServerProcess> servers) {
    return servers.stream()
        .filter(server -> server.url().toString().equals(url))
        .findFirst()
        .orElseThrow();
  }

  private static String owner(ServerProcess asked, String id) throws Exception {
    return owners(asked).getOrDefault(id, "");
  }

  private void goesOn(String platform, String service) throws Exception {
    ServersTogether house = new ServersTogether(temp, PostgresServer.newDatabase(), 3, LEASE);
    try (ServerProcess first = house.begin("first", 0, "").ready(PATIENCE);
        ServerProcess second = house.begin("second", 1, "").ready(PATIENCE)) {
      String id = first.post("/experiments", config(service)).get("id").textValue();
      awaitMore(second, List.of(id), CONCURRENCY);
      assertThat(owner(second, id)).isEqualTo(first.url().toString());

      long since = System.nanoTime();
      first.kill();
      String heir = second.url().toString();
      await("the other one owns it", () -> owner(second, id).equals(heir));
      System.out.printf("%s: taken over %d ms after kill -9%n", platform, millis(since));
      awaitMore(second, List.of(id), 2 * CONCURRENCY);

      try (ServerProcess third = house.begin("third", 2, "").ready(PATIENCE)) {
        awaitMore(third, List.of(id), 2 * CONCURRENCY);
        signal(second, "STOP");
        since = System.nanoTime();
        await("the third owns it", () -> owner(third, id).equals(third.url().toString()));
        System.out.printf("%s: taken over %d ms after SIGSTOP%n", platform, millis(since));
        awaitMore(third, List.of(id), 2 * CONCURRENCY);
        signal(second, "CONT");
        await(
            "it is a member again",
            () -> third.get("/cluster").get("members").size() == 2);
        awaitMore(third, List.of(id), 2 * CONCURRENCY);
        finish(at(owner(third, id), List.of(second, third)), id);
      }
    }
  }

  private static long millis(long since) {
    return Duration.ofNanos(System.nanoTime() - since).toMillis();
  }

  private void finish(ServerProcess asked, String id) throws Exception {
    long so = asked.trials(id).size();
    asked.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + CONCURRENCY) + "}");
    JsonNode done = asked.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
    assertThat(done.get("status").textValue()).as(asked.log()).isEqualTo("DONE");
    List<JsonNode> trials = asked.trials(id);
    assertThat((long) trials.size()).isGreaterThanOrEqualTo(so);
    for (JsonNode trial : trials) {
      String name = trial.get("id").textValue();
      assertThat(trial.get("status").textValue()).as("%s", trial).isEqualTo("SUCCEEDED");
      assertThat(trial.get("metric").asLong(-1))
          .as("%s", trial)
          .isEqualTo(trial.get("sequenceId").longValue());
      assertThat(Files.readAllLines(ran.resolve(name))).as("runs of %s", name).hasSize(1);
      String path = "/experiments/" + id + "/trials/" + name;
      assertThat(
              asked
                  .get(path + "/metrics")
                  .get("points")
                  .valueStream()
                  .map(point -> point.get("value").intValue()))
          .as("reports of %s", name)
          .containsExactly(1, 2, 3);
      assertThat(asked.text("/api/v1" + path + "/file?path=stdout"))
          .as("output of %s", name)
          .endsWith("orrery: final " + trial.get("sequenceId").longValue() + "\n");
    }
    assertThat(trials.stream().map(trial -> trial.get("sequenceId").longValue()))
        .doesNotHaveDuplicates();
    try (var runs = Files.list(ran)) {
      assertThat(runs.count()).as("nothing else ran").isEqualTo(trials.size());
    }
  }

  private String kubernetes(MockCluster cluster, String more) throws IOException {
    return "platform: kubernetes\nkubeconfig: %s\n%s"
        .formatted(cluster.kubeconfig(temp.resolve("kubeconfig")), more);
  }

  @Test
  @Timeout(600)
  void trialsOnKubernetesGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      goesOn("kubernetes", kubernetes(cluster, ""));
    }
  }

  @Test
  @Timeout(600)
  void podsThatServeManyTrialsGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      goesOn("kubernetes with reuseMode", kubernetes(cluster, "reuseMode: true"));
    }
  }

  @Test
  @Timeout(600)
  void jobsOfABatchServiceGoOnWithAnotherServer() throws Exception {
    try (StandInOpenPai pai = new StandInOpenPai(temp.resolve("pai"))) {
      Files.createDirectories(pai.storage());
      goesOn(
          "openpai",
          """
          platform: openpai
          host: %s
          username: ada
          token: %s
          dockerImage: msranni/nni
          trialCpuNumber: 1
          trialMemorySize: 8GB
          storageConfigName: confignfs-data
          localStorageMountPoint: %s
          containerStorageMountPoint: /mnt/confignfs-data
          """
              .formatted(pai.url(), StandInOpenPai.TOKEN, pai.storage()));
    }
  }
}
