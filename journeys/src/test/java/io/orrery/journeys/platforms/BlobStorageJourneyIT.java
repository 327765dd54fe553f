package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.azure.BlobReading;
import io.orrery.compute.remote.SshMachine;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.storage.Azurite;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * An experiment whose trials run on another machine and share a container of Azure Blob Storage
 * with the server, which is a real Azurite; skipped, and said so, where that cannot be installed.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class BlobStorageJourneyIT {
  private static final String CONTAINER = "outputs";

  @TempDir Path temp;
  private Azurite azurite;
  private SshMachine machine;
  private Path home;

  @BeforeEach
  @Timeout(300)
  void start() throws Exception {
    azurite = Azurite.start(Files.createDirectory(temp.resolve("azurite")));
    machine = new SshMachine(temp.resolve("machine"));
    home = temp.resolve("home").toAbsolutePath();
  }

  @AfterEach
  void stop() throws IOException {
    if (machine != null) {
      machine.close();
    }
    if (azurite != null) {
      azurite.close();
    }
  }

  /** As Azure's own tools are told of an emulator. */
  private ServerProcess server() throws Exception {
    return ServerProcess.begin(
            home,
            List.of("--port", "0", "--router-port", "off"),
            Map.of("AZURE_STORAGE_SERVICE_ENDPOINT", azurite.url()))
        .ready();
  }

  private String config(int trials, String script) throws IOException {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), script);
    Map<String, Object> service = new LinkedHashMap<>();
    service.put("platform", "remote");
    service.put("machineList", List.of(machine.entry()));
    service.put(
        "knownHosts",
        Files.writeString(temp.resolve("known_hosts"), machine.knownHost()).toString());
    Map<String, Object> storage = new LinkedHashMap<>();
    storage.put("storageType", "AzureBlob");
    storage.put("localMounted", "usermount");
    storage.put("storageAccountName", Azurite.ACCOUNT);
    storage.put("storageAccountKey", Azurite.KEY);
    storage.put("containerName", CONTAINER);
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("trialCommand", "sh trial.sh");
    config.put("trialCodeDirectory", code.toString());
    config.put("trialConcurrency", 2);
    config.put("maxTrialNumber", trials);
    config.put("searchSpace", Map.of("x", Map.of("_type", "uniform", "_value", List.of(0, 1))));
    config.put("tuner", Map.of("name", "Random"));
    config.put("sharedStorage", storage);
    config.put("trainingService", service);
    return Json.write(config);
  }

  private String blob(String name) throws Exception {
    return new String(
        BlobReading.read(azurite.cloud(), Azurite.ACCOUNT, Azurite.KEY, CONTAINER, name),
        StandardCharsets.UTF_8);
  }

  private void awaitBlob(String name, String content) throws Exception {
    Eventually.until(
        name + " is there",
        () -> {
          try {
            return blob(name).equals(content);
          } catch (IOException notYet) {
            return false;
          }
        });
  }

  private static String directory(String experiment, JsonNode trial) {
    return "nni/" + experiment + "/trials/" + trial.get("id").textValue() + "/";
  }

  @Test
  @Timeout(300)
  void whatTrialsLeaveIsInTheContainerAndTheyNeverSeeItsKey() throws Exception {
    String script =
        """
        cd "$NNI_OUTPUT_DIR" && mkdir deep
        echo "weights of $ORRERY_PARAM_X" >model
        echo inner >"deep/a log"
        env >&2
        echo "orrery: final $ORRERY_PARAM_X"
        """;
    try (ServerProcess server = server()) {
      String config = config(3, script);
      JsonNode checked = server.post("/platforms/check", config);
      assertThat(checked.get("works").booleanValue()).as("%s", checked).isTrue();
      assertThat(checked.toString()).contains(azurite.url() + "/outputs will be made");

      String id = server.post("/experiments", config).get("id").textValue();
      JsonNode ended = server.awaitStatus(id, Duration.ofMinutes(2), "DONE", "FAILED", "ERROR");

      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
      assertThat(server.trials(id)).hasSize(3);
      for (JsonNode trial : server.trials(id)) {
        String x = trial.at("/parameters/x").asText();
        assertThat(trial.get("metric").asText()).isEqualTo(x);
        String there = directory(id, trial);
        awaitBlob(there + "nnioutput/model", "weights of " + x + "\n");
        awaitBlob(there + "nnioutput/deep/a log", "inner\n");
        assertThat(blob(there + "stdout")).contains("orrery: final " + x);
        assertThat(blob(there + "parameter.cfg")).contains(x);
        assertThat(blob(there + "stderr"))
            .contains("NNI_TRIAL_JOB_ID=" + trial.get("id").textValue())
            .doesNotContain(Azurite.KEY)
            .doesNotContain("AZURE_");
      }
      assertThat(codeOf(id)).isNotEmpty();
      assertThat(server.get("/experiments/" + id).toString()).doesNotContain(Azurite.KEY);
      assertThat(server.log()).doesNotContain(Azurite.KEY);
    }
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as("what is stored in %s", file)
            .doesNotContain(Azurite.KEY);
      }
    }
  }

  /** The package of the experiment's code, the same as the server's own. */
  private byte[] codeOf(String experiment) throws Exception {
    try (Stream<Path> files = Files.walk(home)) {
      Path archive =
          files
              .filter(file -> file.toString().endsWith(".tar.gz"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("the server has packed no code"));
      byte[] there =
          BlobReading.read(
              azurite.cloud(),
              Azurite.ACCOUNT,
              Azurite.KEY,
              CONTAINER,
              "nni/" + experiment + "/code/" + archive.getParent().getFileName() + ".tar.gz");
      assertThat(there).isEqualTo(Files.readAllBytes(archive));
      return there;
    }
  }

  @Test
  @Timeout(300)
  void whatIsLeftWhileAzureIsAwayIsBroughtAfterARestart() throws Exception {
    Path go = temp.resolve("go");
    String script =
        """
        echo up >"$NNI_OUTPUT_DIR/model"
        while [ ! -e '%s' ]; do sleep 0.05; done
        echo 'orrery: final 0.5'
        """
            .formatted(go);
    String id;
    JsonNode trial;
    try (ServerProcess first = server()) {
      id = first.post("/experiments", config(1, script)).get("id").textValue();
      Eventually.until(
          "its trial runs", () -> first.trials(id).stream().anyMatch(each -> is(each, "RUNNING")));
      azurite.close();
      Files.createFile(go);
      JsonNode ended = first.awaitStatus(id, Duration.ofMinutes(1), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
      trial = first.trials(id).getFirst();
      assertThat(is(trial, "SUCCEEDED")).isTrue();
      first.kill();
    }

    azurite.start();
    try (ServerProcess second = server()) {
      awaitBlob(directory(id, trial) + "nnioutput/model", "up\n");
      assertThat(is(second.trials(id).getFirst(), "SUCCEEDED")).isTrue();
    }
  }

  private static boolean is(JsonNode trial, String status) {
    return trial.get("status").textValue().equals(status);
  }
}
