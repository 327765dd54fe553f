package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.openpai.StandInOpenPai;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The documented configurations of OpenPAI, submitted to a server and run to their end. */
class OpenPaiJourneyIT {
  private static final String VALUE = "it's kestrel-77";

  private static final String V3 =
      """
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      trialCommand: sh trial.sh
      trialCodeDirectory: %1$s
      trialGpuNumber: 0
      trialConcurrency: 1
      maxTrialNumber: 2
      tuner: {name: Random}
      trainingService:
        platform: openpai
        host: %2$s
        username: ada
        token: %3$s
        dockerImage: msranni/nni
        trialCpuNumber: 1
        trialMemorySize: 8GB
        storageConfigName: confignfs-data
        localStorageMountPoint: %4$s
        containerStorageMountPoint: /mnt/confignfs-data
      """;

  private static final String V1 =
      """
      authorName: ada
      experimentName: older
      trialConcurrency: 1
      maxTrialNum: 2
      trainingServicePlatform: pai
      searchSpacePath: %1$s/space.json
      tuner: {builtinTunerName: Random}
      trial:
        command: sh trial.sh
        codeDir: %1$s
        gpuNum: 0
        cpuNum: 1
        memoryMB: 8192
        image: msranni/nni
        virtualCluster: default
        nniManagerNFSMountPath: %4$s
        containerNFSMountPath: /mnt/confignfs-data
        paiStorageConfigName: confignfs-data
      paiConfig:
        userName: ada
        token: %3$s
        host: %2$s
      """;

  @TempDir Path temp;
  private StandInOpenPai pai;
  private Path code;

  @BeforeEach
  void start() throws Exception {
    pai = new StandInOpenPai(temp.resolve("pai"));
    Files.createDirectories(pai.storage());
    code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), "echo \"orrery: final $ORRERY_PARAM_X\"\n");
    Files.writeString(
        code.resolve("space.json"), "{\"x\":{\"_type\":\"uniform\",\"_value\":[0,1]}}");
  }

  @AfterEach
  void stop() {
    pai.close();
  }

  @Test
  @Timeout(300)
  void bothFormsValidateSubmitAndFinish() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      for (String form : List.of(V3, V1)) {
        String config = form.formatted(code, pai.url(), StandInOpenPai.TOKEN, pai.storage());
        String id = server.post("/experiments", config).get("id").textValue();

        JsonNode ended = server.awaitStatus(id, Duration.ofMinutes(2), "DONE", "FAILED", "ERROR");

        assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
        assertThat(server.trials(id)).hasSize(2);
        for (JsonNode trial : server.trials(id)) {
          assertThat(trial.get("status").textValue()).as("%s", trial).isEqualTo("SUCCEEDED");
          assertThat(trial.get("metric").doubleValue())
              .isEqualTo(trial.at("/parameters/x").doubleValue());
          assertThat(pai.jobs())
              .contains("nni_exp_" + id + "_trial_" + trial.get("id").textValue());
        }
        assertThat(server.get("/experiments/" + id).toString())
            .doesNotContain(StandInOpenPai.TOKEN);
      }
      assertThat(server.log()).doesNotContain(StandInOpenPai.TOKEN);
    }
    assertNoFileHas(home, StandInOpenPai.TOKEN);
  }

  private static void assertNoFileHas(Path home, String... secrets) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as("what is stored in %s", file)
            .doesNotContain(secrets);
      }
    }
  }

  @Test
  @Timeout(300)
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void aStepHasItsSecretsAndNoOtherProgramSeesThem() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    try (ServerProcess server = ServerProcess.start(home)) {
      aStepHasItsSecrets(server);
      assertThat(server.log()).doesNotContain(StandInOpenPai.TOKEN, VALUE);
    }
    assertNoFileHas(home, StandInOpenPai.TOKEN, VALUE);
  }

  private void aStepHasItsSecrets(ServerProcess server) throws Exception {
    for (String secret : List.of("pai " + StandInOpenPai.TOKEN, "hub " + VALUE)) {
      String[] words = secret.split(" ", 2);
      assertThat(
              put(server, "/projects/public/secrets/" + words[0], Map.of("value", words[1]))
                  .statusCode())
          .isEqualTo(200);
    }
    HttpResponse<String> pipeline =
        server.send(
            "PUT",
            "/pipelines/uses",
            BodyPublishers.ofString(
                """
                kind: Pipeline
                name: uses
                tasks:
                  - name: tell
                    command: 'echo "orrery: output length ${#HUB}"'
                    env: {HUB: "secret:hub"}
                    outputs: {length: {value: length}}
                    trainingService: {platform: openpai, host: "%s", username: ada, token: "secret:pai",
                                      dockerImage: python, trialCpuNumber: 1, trialMemorySize: 1GB}
                """
                    .formatted(pai.url())));
    assertThat(pipeline.statusCode()).as(pipeline.body()).isEqualTo(201);
    Set<String> before = pai.jobs();
    String id = server.post("/pipelines/uses/run", "{}").get("id").textValue();
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            Set.of("SUCCEEDED", "FAILED", "STOPPED")
                .contains(server.get("/runs/" + id).path("status").textValue()));

    JsonNode run = server.get("/runs/" + id);
    assertThat(run.path("status").textValue()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(run.at("/steps/0/outputs").toString()).contains(Integer.toString(VALUE.length()));
    assertThat(pai.jobs()).hasSize(before.size() + 1);
    for (String job : pai.jobs()) {
      assertThat(pai.shown(job))
          .doesNotContain(VALUE, pai.document(job).at("/secrets/orrery_trial_token").textValue());
    }
  }

  private static HttpResponse<String> put(ServerProcess server, String path, Object body)
      throws Exception {
    return server.send("PUT", path, BodyPublishers.ofString(Json.write(body)));
  }
}
