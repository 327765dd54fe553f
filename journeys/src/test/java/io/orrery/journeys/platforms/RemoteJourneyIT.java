package io.orrery.journeys.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.remote.SshMachine;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * An experiment on remote machines, of which some are lost for good, while the server is killed:
 * every trial succeeds once. {@code -Dorrery.remote.trials=200} runs so many, on eight machines.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class RemoteJourneyIT {
  private static final int TRIALS = Integer.getInteger("orrery.remote.trials", 14);
  private static final int MACHINES = TRIALS >= 100 ? 8 : 3;
  private static final int KILLED = TRIALS >= 100 ? 2 : 1;

  @TempDir Path temp;
  private final List<SshMachine> machines = new ArrayList<>();
  private Path knownHosts;
  private Path ran;

  @BeforeEach
  void start() throws IOException {
    knownHosts = Files.createFile(temp.resolve("known_hosts"));
    ran = Files.createDirectory(temp.resolve("ran"));
    for (int i = 0; i < MACHINES; i++) {
      SshMachine machine = new SshMachine(temp.resolve("machine" + i));
      machines.add(machine);
      Files.writeString(knownHosts, Files.readString(knownHosts) + machine.knownHost());
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (SshMachine machine : machines) {
      machine.close();
    }
  }

  /** Trials that leave a file each, with a line for each time that the command was started. */
  private String config() throws IOException {
    Path code = code("$(basename \"$(dirname \"$NNI_SYS_DIR\")\")");
    Map<String, Object> service = service();
    service.put("awayLimit", 3);
    Map<String, Object> config = config(code, TRIALS, service);
    config.put("retry", Map.of("attempts", 5, "backoff", 1, "on", List.of("lost")));
    return Json.write(config);
  }

  /**
   * @param name of the file that a trial leaves
   */
  private Path code(String name) throws IOException {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(
        code.resolve("trial.sh"),
        """
        attempt=%2$s
        echo began >>"%1$s/$attempt"
        sleep 0.5
        echo "orrery: final $ORRERY_PARAM_X"
        """
            .formatted(ran, name));
    return code;
  }

  private Map<String, Object> service() {
    Map<String, Object> service = new LinkedHashMap<>();
    service.put("platform", "remote");
    service.put("machineList", machines.stream().map(SshMachine::entry).toList());
    service.put("knownHosts", knownHosts.toString());
    return service;
  }

  private static Map<String, Object> config(Path code, int trials, Map<String, Object> service) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("trialCommand", "sh trial.sh");
    config.put("trialCodeDirectory", code.toString());
    config.put("trialConcurrency", 2 * MACHINES);
    config.put("maxTrialNumber", trials);
    config.put("searchSpace", Map.of("x", Map.of("_type", "uniform", "_value", List.of(0, 1))));
    config.put("tuner", Map.of("name", "Random"));
    config.put("trainingService", service);
    return config;
  }

  @Test
  @Timeout(600)
  void machinesThatAreLostAndAServerThatIsKilledCostNoTrial() throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String id;
    try (ServerProcess first = ServerProcess.start(home)) {
      id = first.post("/experiments", config()).get("id").textValue();
      awaitBegun(TRIALS / 3);
      for (SshMachine machine : machines.subList(0, KILLED)) {
        machine.crash();
      }
      awaitBegun(TRIALS / 2);
      first.kill();
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      assertThatAllSucceed(server, id, TRIALS);
      assertThat(server.get("/experiments/" + id).toString()).doesNotContain(SshMachine.PASSWORD);
    }
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as("what is stored in %s", file)
            .doesNotContain(SshMachine.PASSWORD);
      }
    }
  }

  private void assertThatAllSucceed(ServerProcess server, String id, int trials) throws Exception {
    JsonNode ended = server.awaitStatus(id, Duration.ofMinutes(8), "DONE", "FAILED", "ERROR");
    assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");
    Set<Long> sequences = new HashSet<>();
    Map<String, Integer> outcomes = new HashMap<>();
    for (JsonNode trial : server.trials(id)) {
      outcomes.merge(trial.get("status").textValue(), 1, Integer::sum);
      sequences.add(trial.get("sequenceId").longValue());
      assertThat(trial.get("metric").doubleValue())
          .isEqualTo(trial.at("/parameters/x").doubleValue());
    }
    assertThat(outcomes).isEqualTo(Map.of("SUCCEEDED", trials));
    assertThat(sequences).hasSize(trials);
    try (Stream<Path> attempts = Files.list(ran)) {
      for (Path attempt : attempts.toList()) {
        // One that a lost machine takes along may have opened its file and written nothing yet.
        assertThat(Files.readAllLines(attempt))
            .as("runs of %s", attempt.getFileName())
            .hasSizeLessThanOrEqualTo(1);
      }
    }
  }

  /**
   * Each machine has one GPU for two trials, so that a trial that ends hands its place on to one
   * that waits in another environment.
   */
  @Test
  @Timeout(600)
  void aServerThatIsKilledWhileTrialsMoveBetweenEnvironmentsCostsNoTrial() throws Exception {
    for (SshMachine machine : machines) {
      Path place = temp.resolve("smi-" + machine.port());
      new StandInSmi(place).devices("0, 00000000:07:00.0, 40960, A100\n");
      machine.withPath(place);
    }
    int trials = 6 * MACHINES;
    Map<String, Object> service = service();
    service.put("reuseMode", true);
    Map<String, Object> config = config(code("$NNI_TRIAL_JOB_ID"), trials, service);
    config.put("trialGpuNumber", 1);
    Path home = temp.resolve("home").toAbsolutePath();
    String id;
    try (ServerProcess first = ServerProcess.start(home)) {
      id = first.post("/experiments", Json.write(config)).get("id").textValue();
      awaitBegun(MACHINES);
      first.kill();
    }
    for (int kill = 2; kill <= 3; kill++) {
      try (ServerProcess next = ServerProcess.start(home)) {
        awaitBegun(kill * MACHINES);
        next.kill();
      }
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      assertThatAllSucceed(server, id, trials);
      assertThat(begun()).as("none was started twice").isEqualTo(trials);
    }
  }

  private void awaitBegun(int count) throws IOException {
    long end = System.nanoTime() + Duration.ofMinutes(4).toNanos();
    while (begun() <= count) {
      assertThat(System.nanoTime()).as("%d have begun in time", count).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private int begun() throws IOException {
    try (Stream<Path> attempts = Files.list(ran)) {
      return (int) attempts.count();
    }
  }
}
