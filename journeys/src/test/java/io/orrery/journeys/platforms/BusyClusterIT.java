package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.service.Eventually;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** An experiment whose cluster has no time for it when it begins. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class BusyClusterIT {
  @TempDir private Path directory;

  @Test
  @Timeout(180)
  void itWaitsSaysWhyTakesCommandsAndGoesOn() throws Exception {
    Path code = Files.createDirectories(directory.resolve("code"));
    try (MockCluster cluster = new MockCluster(directory.resolve("node"), true);
        ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      Path kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
      cluster.fault("busy", request -> MockCluster.status(429, "TooManyRequests", "slow down"));

      String waits = create(server, code, kubeconfig);
      String stopped = create(server, code, kubeconfig);
      for (String id : new String[] {waits, stopped}) {
        Eventually.until("it says why", () -> reason(server, id).contains("slow down"));
        assertThat(server.get("/experiments/" + id).path("status").asText())
            .isIn("RUNNING", "NO_MORE_TRIAL");
      }
      server.post("/experiments/" + stopped + "/stop", "");
      server.awaitStatus(stopped, Duration.ofSeconds(60), "STOPPED");

      cluster.repair("busy");
      JsonNode ended = server.awaitStatus(waits, Duration.ofSeconds(120), "DONE", "ERROR");
      assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("DONE");
      assertThat(ended.path("error").asText("")).isEmpty();
      assertThat(ended.at("/best/metric").doubleValue()).isEqualTo(0.5);
      assertThat(cluster.list("/apis/batch/v1/namespaces/trials/jobs")).hasSize(1);
    }
  }

  /** K3: it would be 401 to every trial, one after the other. */
  @Test
  @Timeout(180)
  void aTokenThatIsRevokedInTheMiddleFailsNoTrial() throws Exception {
    Path code = Files.createDirectories(directory.resolve("code"));
    try (MockCluster cluster = new MockCluster(directory.resolve("node"), true);
        ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      Path kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
      String id = create(server, code, kubeconfig, 8);
      Eventually.until("one has succeeded", () -> count(server, id, "SUCCEEDED") > 0);

      cluster.accept("another");
      cluster.breakWatches();
      Eventually.until(
          "it waits, and says why",
          () ->
              server
                  .get("/experiments/" + id + "/trials")
                  .toString()
                  .contains("the cluster does not know who asks"));
      cluster.accept("nothing");

      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
      assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("DONE");
      assertThat(count(server, id, "SUCCEEDED")).as("%s", ended).isEqualTo(8);
    }
  }

  /** K10: every trial would be refused, one after the other. */
  @Test
  @Timeout(180)
  void aPolicyThatDeniesEveryJobStopsTheExperiment() throws Exception {
    Path code = Files.createDirectories(directory.resolve("code"));
    try (MockCluster cluster = new MockCluster(directory.resolve("node"), true);
        ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      Path kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
      cluster.fault(
          "policy",
          request ->
              request.getMethod().equals("POST") && request.getPath().contains("/jobs")
                  ? MockCluster.status(
                      403, "Forbidden", "admission webhook \"policy\" denied the request: no root")
                  : null);
      String id = create(server, code, kubeconfig, 50);

      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(60), "DONE", "FAILED", "ERROR");

      assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("ERROR");
      assertThat(ended.path("error").asText()).contains("denied the request: no root");
      assertThat(count(server, id, "FAILED")).isEqualTo(1);
    }
  }

  private static int count(ServerProcess server, String id, String status) throws Exception {
    return server.get("/experiments/" + id).at("/trialCounts/" + status).asInt();
  }

  private static String reason(ServerProcess server, String id) throws Exception {
    return server.get("/experiments/" + id).path("error").asText("");
  }

  private static String create(ServerProcess server, Path code, Path kubeconfig) throws Exception {
    return create(server, code, kubeconfig, 1);
  }

  private static String create(ServerProcess server, Path code, Path kubeconfig, int trials)
      throws Exception {
    return server
        .post(
            "/experiments",
            """
            trialCommand: 'echo "orrery: final 0.5"'
            trialCodeDirectory: %s
            trialConcurrency: 1
            maxTrialNumber: %d
            searchSpace: {x: {_type: uniform, _value: [0, 1]}}
            tuner: {name: Random, classArgs: {optimize_mode: maximize}}
            trainingService:
              platform: kubernetes
              kubeconfig: %s
            """
                .formatted(code, trials, kubeconfig))
        .path("id")
        .asText();
  }
}
