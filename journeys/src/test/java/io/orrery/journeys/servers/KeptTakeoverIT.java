package io.orrery.journeys.servers;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static io.orrery.journeys.ServersTogether.awaitMore;
import static io.orrery.journeys.ServersTogether.owners;
import static io.orrery.journeys.ServersTogether.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.dlc.StandInDlc;
import io.orrery.compute.dlts.StandInDlts;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.openpai.StandInOpenPai;
import io.orrery.compute.remote.SshMachine;
import io.orrery.core.json.Json;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.PlatformJar;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that share trials which run elsewhere, under keepers that call them: the owner is killed,
 * then its heir is stopped for longer than its lease and comes back. Every trial runs once, and all
 * that it reported and printed is there. Each platform takes most of a minute: those that go the
 * way of another one are tried with {@code -Dorrery.takeover.every=true}.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class KeptTakeoverIT {
  private static final String EVERY = "orrery.takeover.every";
  private static final int LEASE = 6;
  private static final int CONCURRENCY = 4;

  @TempDir Path temp;
  private Path ran;

  /** Notes that it ran, reports three times while it does, and its own number at the end. */
  private String config(String command, String service) throws IOException {
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
    trialCommand: %s
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: 100000
    trialGpuNumber: 0
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService:
    %s
    """
        .formatted(command, code, CONCURRENCY, service.indent(2).stripTrailing());
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
    goesOn(platform, "sh trial.sh", service);
  }

  private void goesOn(String platform, String command, String service) throws Exception {
    ServersTogether together = new ServersTogether(temp, PostgresServer.newDatabase(), 3, LEASE);
    try (ServerProcess first = together.begin("first", 0, "");
        ServerProcess second = together.begin("second", 1, "");
        ServerProcess third = together.begin("third", 2, "")) {
      List<ServerProcess> heirs = List.of(second.ready(PATIENCE), third.ready(PATIENCE));
      first.ready(PATIENCE);
      String id = first.post("/experiments", config(command, service)).get("id").textValue();
      awaitMore(second, List.of(id), CONCURRENCY);
      assertThat(owner(second, id)).isEqualTo(first.url().toString());

      long since = System.nanoTime();
      first.kill();
      await("another one owns it", () -> isOneOf(heirs, owner(second, id)));
      System.out.printf("%s: taken over %d ms after kill -9%n", platform, millis(since));
      awaitMore(second, List.of(id), 2 * CONCURRENCY);

      ServerProcess stopped = at(owner(second, id), heirs);
      ServerProcess left = stopped == second ? third : second;
      signal(stopped, "STOP");
      since = System.nanoTime();
      await("the last one owns it", () -> owner(left, id).equals(left.url().toString()));
      System.out.printf("%s: taken over %d ms after SIGSTOP%n", platform, millis(since));
      awaitMore(left, List.of(id), 2 * CONCURRENCY);
      signal(stopped, "CONT");
      await("it is a member again", () -> left.get("/cluster").get("members").size() == 2);
      awaitMore(left, List.of(id), 2 * CONCURRENCY);
      finish(at(owner(left, id), heirs), id);
    }
  }

  private static boolean isOneOf(List<ServerProcess> servers, String url) {
    return servers.stream().anyMatch(server -> server.url().toString().equals(url));
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

  private String on(MockCluster cluster, String platform, String more) throws IOException {
    return "platform: %s\nkubeconfig: %s\n%s"
        .formatted(platform, cluster.kubeconfig(temp.resolve("kubeconfig")), more);
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void trialsOnKubernetesGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      goesOn("kubernetes", on(cluster, "kubernetes", ""));
    }
  }

  @Test
  @Timeout(600)
  void podsThatServeManyTrialsGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      goesOn("kubernetes with reuseMode", on(cluster, "kubernetes", "reuseMode: true"));
    }
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void jobsOfAnOperatorGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      cluster.serve("kubeflow.org", "v1", "TFJob", "tfjobs");
      goesOn(
          "kubeflow",
          on(
              cluster,
              "kubeflow",
              "operator: tf-operator\napiVersion: v1\n"
                  + "worker: {replicas: 1, dockerImage: 'tensorflow:1'}"));
    }
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void frameworksGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      cluster.serve("frameworkcontroller.microsoft.com", "v1", "Framework", "frameworks");
      goesOn(
          "frameworkcontroller",
          on(
              cluster,
              "frameworkcontroller",
              "taskRoles: [{name: worker, taskNumber: 1, dockerImage: 'python:3'}]"));
    }
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void trialsOnMachinesThatServersLogInToGoOnWithAnotherServer() throws Exception {
    goesOnOnMachines("remote", "");
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void processesOfMachinesThatServeManyTrialsGoOnWithAnotherServer() throws Exception {
    goesOnOnMachines("remote with reuseMode", "reuseMode: true");
  }

  private void goesOnOnMachines(String platform, String more) throws Exception {
    try (SshMachine left = new SshMachine(temp.resolve("left"));
        SshMachine right = new SshMachine(temp.resolve("right"))) {
      Path known = temp.resolve("known_hosts");
      Files.writeString(known, left.knownHost() + right.knownHost());
      goesOn(
          platform,
          """
          platform: remote
          machineList: %s
          knownHosts: %s
          %s
          """
              .formatted(Json.write(List.of(left.entry(), right.entry())), known, more));
    }
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
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

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void jobsOfAdaptDlGoOnWithAnotherServer() throws Exception {
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      cluster.serve("adaptdl.petuum.com", "v1", "AdaptDLJob", "adaptdljobs");
      // The image has the code.
      goesOn(
          "adl",
          "sh " + temp.resolve("code/trial.sh"),
          on(cluster, "adl", "dockerImage: 'python:3'\ngpuNumber: 0"));
    }
  }

  private static String on(StandInDlts dlts) {
    return """
    platform: dlts
    dashboard: %s
    cluster: %s
    team: %s
    email: %s
    password: '%s'
    dockerImage: python:3
    """
        .formatted(
            dlts.url(),
            StandInDlts.CLUSTER,
            StandInDlts.TEAM,
            StandInDlts.EMAIL,
            StandInDlts.PASSWORD);
  }

  private static String on(StandInDlc dlc) {
    return """
    platform: dlc
    endpoint: %s
    region: cn-hangzhou
    workspaceId: '%s'
    accessKeyId: %s
    accessKeySecret: '%s'
    image: python:3
    podCount: 1
    ecsSpec: ecs.c6.large
    jobType: PyTorchJob
    """
        .formatted(dlc.url(), StandInDlc.WORKSPACE, StandInDlc.KEY, StandInDlc.SECRET);
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void jobsOfDltsGoOnWithAnotherServer() throws Exception {
    try (StandInDlts dlts = new StandInDlts(temp.resolve("dlts"))) {
      goesOn("dlts", on(dlts));
    }
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = EVERY, matches = "true")
  void jobsOfDlcGoOnWithAnotherServer() throws Exception {
    try (StandInDlc dlc = new StandInDlc(temp.resolve("dlc"))) {
      goesOn("dlc", on(dlc));
    }
  }

  @Test
  @Timeout(600)
  void trialsOfSeveralPlatformsGoOnWithAnotherServer() throws Exception {
    try (StandInDlts dlts = new StandInDlts(temp.resolve("dlts"));
        StandInDlc dlc = new StandInDlc(temp.resolve("dlc"))) {
      goesOn(
          "hybrid",
          "platform: hybrid\nservices:\n"
              + element(on(dlts), CONCURRENCY / 2)
              + element(on(dlc), CONCURRENCY / 2));
      assertThat(dlts.jobs()).isNotEmpty();
      assertThat(dlc.jobs()).isNotEmpty();
    }
  }

  private static String element(String service, int capacity) {
    return "  - " + (service + "capacity: " + capacity).indent(4).strip() + "\n";
  }

  @Test
  @Timeout(120)
  void aPlatformThatNoOtherServerCanTakeOverIsRefusedByName() throws Exception {
    ServersTogether together = new ServersTogether(temp, PostgresServer.newDatabase(), 1, LEASE);
    PlatformJar.silent(together.shared(), temp);
    try (StandInDlts dlts = new StandInDlts(temp.resolve("dlts"));
        ServerProcess server = together.begin("alone", 0, "").ready(PATIENCE)) {
      String both =
          "platform: hybrid\nservices:\n" + element(on(dlts), 2) + element("platform: silent\n", 2);

      String answer =
          server
              .send("POST", "/experiments", BodyPublishers.ofString(config("sh trial.sh", both)))
              .body();

      assertThat(answer)
          .as(server.log())
          .contains("/trainingService/services/1/platform", "cannot take over trials of silent");
    }
  }
}
