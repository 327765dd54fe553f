package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs programs that use up a machine on a server with accounts; each is bounded by itself too. */
class ProgramLimitsIT {
  /** Forks in both of its copies, eight times: 255 processes if it is not ended. */
  private static final String BOMB =
      "bomb() { [ $1 -gt 0 ] || return; bomb $(($1 - 1)) & bomb $(($1 - 1)) & sleep 97.25; };";

  @TempDir Path temp;
  private ServerProcess server;
  private ServerUsers users;
  private Person admin;
  private Person ann;
  private String output = "";

  @BeforeEach
  void start() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/bwrap"))).as("bubblewrap").isTrue();
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        """
        auth: {users: true, programProcesses: 60, programFiles: 100, personProcesses: 90,
          personMemory: 256M}
        workspaces: {megabytes: 16}
        """);
    server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
    users = new ServerUsers(server);
    admin = users.administrator();
    ann = users.user(admin, "ann");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      users.close();
      server.close();
    }
  }

  /** Runs one step that fails; the step when it is over. */
  private JsonNode step(String command) throws Exception {
    String document =
        "kind: Pipeline\nname: hostile\ntasks:\n  - name: only\n    command: |\n      ";
    Reply put = users.send(ann, "PUT", "/api/v1/pipelines/hostile", document + command + "\n");
    assertThat(put.status()).as(put.body()).isBetween(200, 201);
    Reply run = users.send(ann, "POST", "/api/v1/pipelines/hostile/run", "{}");
    assertThat(run.status()).as(run.body()).isEqualTo(201);
    String path = "/api/v1/runs/" + run.json().get("id").textValue();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> users.get(ann, path).json().get("status").asText().equals("FAILED"));
    JsonNode step = users.get(ann, path + "/steps/only").json();
    output = users.get(ann, path + "/steps/only/logs/stdout").body();
    return step;
  }

  private static long sleepers() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains("sleep 97.25"))
        .count();
  }

  private String experiment(Person person, String command, int trials) throws Exception {
    Reply created =
        users.send(
            person,
            "POST",
            "/api/v1/experiments",
            """
            trialCommand: '%s'
            trialCodeDirectory: /usr/share
            trialConcurrency: %d
            maxTrialNumber: %d
            searchSpace: {x: {_type: uniform, _value: [0, 1]}}
            tuner: {name: Random, classArgs: {optimize_mode: maximize}}
            trainingService: {platform: local}
            """
                .formatted(command, trials, trials));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return "/api/v1/experiments/" + created.json().get("id").textValue();
  }

  private List<String> statuses(Person person, String experiment) throws Exception {
    List<String> all = new ArrayList<>();
    users
        .get(person, experiment + "/trials?limit=10")
        .json()
        .get("items")
        .forEach(trial -> all.add(trial.get("status").asText()));
    return all;
  }

  @Test
  void theLargestProgramOfAPersonWhoHasTooManyProcessesIsEndedAndOthersGoOn() throws Exception {
    Person ben = users.user(admin, "ben");
    String others = experiment(ben, "sleep 97.25", 1);
    String fork = "for i in $(seq 40); do sleep 97.25 & done; [ $NNI_TRIAL_SEQ_ID = 0 ] || ";
    String mine =
        experiment(ann, fork + "for i in 1 2 3 4 5 6 7 8 9; do sleep 97.25 & done; wait", 2);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(statuses(ann, mine)).containsExactlyInAnyOrder("RUNNING", "FAILED"));
    assertThat(users.get(ann, mine + "/trials?limit=10").body())
        .contains("the programs of ann had", "more than the 90 of auth.personProcesses");
    assertThat(statuses(ben, others)).containsExactly("RUNNING");
    users.send(ann, "POST", mine + "/stop", "");
    users.send(ben, "POST", others + "/stop", "");
    await().atMost(Duration.ofSeconds(30)).until(() -> sleepers() == 0);
  }

  @Test
  void aTrialThatForksWithoutEndIsEndedWithTheReasonAndNothingOfItIsLeft() throws Exception {
    String trials = experiment(ann, BOMB + " bomb 8; wait", 1) + "/trials?limit=1";
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(users.get(ann, trials).json().at("/items/0/status").asText())
                .isEqualTo("FAILED"));
    assertThat(users.get(ann, trials).body())
        .contains("processes and threads, more than the 60 of auth.programProcesses");
    await().atMost(Duration.ofSeconds(10)).until(() -> sleepers() == 0);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aStepThatFillsTheDiskOrTheMemoryOrOpensFilesWithoutEndIsHeldBack() throws Exception {
    JsonNode full =
        step(
            "i=0; while [ $i -lt 64 ]; do i=$((i+1));"
                + " head -c 1000000 /dev/zero > \"$ORRERY_OUTPUTS/$i\"; done; sleep 60");
    assertThat(full.toString()).contains("more than the 16,777,216 bytes of workspaces.megabytes");

    step("python3 -c 'kept = [open(\"/dev/null\") for i in range(100000)]' 2>&1");
    assertThat(output).contains("Too many open files");

    JsonNode large =
        step("python3 -c 'import time; kept = bytearray(b\"x\") * (300 << 20); time.sleep(60)'");
    assertThat(large.toString())
        .contains("the programs of ann had 3", "more than the 256M of auth.personMemory");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServiceThatForksWithoutEndIsEndedWithTheReason() throws Exception {
    Reply put =
        users.send(
            ann,
            "PUT",
            "/api/v1/services/bomb",
            "kind: Service\nname: bomb\nports: [8080]\ncommand: |\n  " + BOMB + " bomb 8; wait\n");
    assertThat(put.status()).as(put.body()).isEqualTo(201);
    await()
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/services/bomb").body())
                .contains("more than the 60 of auth.programProcesses"));
    assertThat(users.send(ann, "DELETE", "/api/v1/services/bomb", "").status()).isEqualTo(204);
    await().atMost(Duration.ofSeconds(30)).until(() -> sleepers() == 0);
  }
}
