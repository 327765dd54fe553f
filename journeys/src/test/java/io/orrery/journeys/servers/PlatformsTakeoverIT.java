package io.orrery.journeys.servers;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static io.orrery.journeys.ServersTogether.owners;
import static io.orrery.journeys.ServersTogether.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.remote.SshMachine;
import io.orrery.core.json.Json;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.PlatformJar;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trials on two machines and on a platform from a jar, shared out among them, that outlive one
 * owner after the other: one is cut off from the database, one killed, one stopped for longer than
 * its lease. They run once, and count aloud all the time: nothing that they say is lost, and it
 * arrives while they run.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class PlatformsTakeoverIT {
  private static final int LEASE = 6;

  /** How many trials there are on each of the platforms. */
  private static final int EACH = 3;

  private static final int TRIALS = 2 * EACH;

  @TempDir Path temp;
  private SshMachine left;
  private SshMachine right;
  private Path ran;
  private Path go;
  private String id = "";

  @BeforeEach
  void start() throws IOException {
    left = new SshMachine(temp.resolve("left"));
    right = new SshMachine(temp.resolve("right"));
    ran = Files.createDirectories(temp.resolve("ran"));
    go = temp.resolve("go");
  }

  @AfterEach
  void stop() throws IOException {
    left.close();
    right.close();
  }

  private String config() throws IOException {
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(
        code.resolve("trial.sh"),
        """
        echo began >>"%s/$NNI_TRIAL_JOB_ID"
        i=0
        until [ -e '%s' ]; do
          i=$((i + 1))
          echo "orrery: intermediate $i"
          sleep 0.5
        done
        echo "orrery: final $i"
        """
            .formatted(ran, go));
    Path known = temp.resolve("known_hosts");
    Files.writeString(known, left.knownHost() + right.knownHost());
    return """
    trialCommand: sh trial.sh
    trialCodeDirectory: %s
    trialConcurrency: %d
    maxTrialNumber: %d
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService:
      - platform: remote
        capacity: %d
        machineList: %s
        knownHosts: %s
      - platform: nice
        capacity: %d
    """
        .formatted(
            code,
            TRIALS,
            TRIALS,
            EACH,
            Json.write(List.of(left.entry(), right.entry())),
            known,
            EACH);
  }

  @Test
  @Timeout(600)
  void whatTrialsSayArrivesThroughOneOwnerAfterTheOther() throws Exception {
    String database = PostgresServer.newDatabase();
    int databasePort = URI.create(database).getPort();
    ServersTogether together = new ServersTogether(temp, database, 3, LEASE);
    PlatformJar.nice(together.shared(), Files.createDirectories(temp.resolve("nice")));
    try (CutWire wire = CutWire.to(databasePort);
        ServerProcess cut =
            together.beginAt(
                "cut", 0, database.replace(":" + databasePort + "/", ":" + wire.port() + "/"));
        ServerProcess second = together.begin("second", 1, "");
        ServerProcess third = together.begin("third", 2, "")) {
      List<ServerProcess> all =
          List.of(cut.ready(PATIENCE), second.ready(PATIENCE), third.ready(PATIENCE));
      id = cut.post("/experiments", config()).get("id").textValue();
      await("all trials run", () -> said(second).size() == TRIALS);

      ServerProcess killed =
          goesOn("cut off from the database", wire::cut, cut, List.of(second, third), all);
      wire.repair();
      await("it is a member again", () -> second.get("/cluster").get("members").size() == 3);
      List<ServerProcess> others = all.stream().filter(each -> each != killed).toList();
      ServerProcess stopped = goesOn("killed", killed::kill, killed, others, all);
      ServerProcess last = others.get(1 - others.indexOf(stopped));
      goesOn("stopped", () -> signal(stopped, "STOP"), stopped, List.of(last), all);
      signal(stopped, "CONT");
      await("it is a member again", () -> last.get("/cluster").get("members").size() == 2);
      awaitMore(last, said(last));
      assertThat(owner(last)).isEqualTo(last.url().toString());

      Files.createFile(go);
      JsonNode done = last.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
      assertThat(done.get("status").textValue()).as(last.log()).isEqualTo("DONE");
      assertThatAllIsThereOnce(last);
    }
  }

  private interface Blow {
    void strike() throws Exception;
  }

  /** Does something to the owner; gives the next one. */
  private ServerProcess goesOn(
      String what,
      Blow blow,
      ServerProcess owner,
      List<ServerProcess> heirs,
      List<ServerProcess> all)
      throws Exception {
    ServerProcess asked = heirs.getFirst();
    assertThat(owner(asked)).isEqualTo(owner.url().toString());
    long since = System.nanoTime();
    blow.strike();
    await("another one owns it", () -> heirs.stream().anyMatch(heir -> isOwner(heir, asked)));
    long taken = System.nanoTime();
    awaitMore(asked, said(asked));
    System.out.printf(
        "%s: taken over after %d ms, every trial heard after %d ms%n",
        what, millis(taken - since), millis(System.nanoTime() - since));
    return all.stream().filter(each -> isOwner(each, asked)).findFirst().orElseThrow();
  }

  private static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }

  private String owner(ServerProcess asked) throws Exception {
    return owners(asked).getOrDefault(id, "");
  }

  private boolean isOwner(ServerProcess server, ServerProcess asked) {
    try {
      return owner(asked).equals(server.url().toString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** How far each trial has counted, as far as was heard. */
  private Map<String, Integer> said(ServerProcess asked) throws Exception {
    Map<String, Integer> said = new HashMap<>();
    for (JsonNode trial : asked.trials(id)) {
      int points = points(asked, trial).size();
      if (points > 0) {
        said.put(trial.get("id").textValue(), points);
      }
    }
    return said;
  }

  private void awaitMore(ServerProcess asked, Map<String, Integer> before) throws Exception {
    await(
        "every trial is heard",
        () -> {
          Map<String, Integer> now = said(asked);
          return before.entrySet().stream()
              .allMatch(trial -> now.getOrDefault(trial.getKey(), 0) > trial.getValue());
        });
  }

  /** Asked again while the metric log goes from one server to the next. */
  private List<Integer> points(ServerProcess asked, JsonNode trial) throws Exception {
    String path = "/experiments/" + id + "/trials/" + trial.get("id").textValue() + "/metrics";
    AtomicReference<String> said = new AtomicReference<>();
    await(
        "there is a metric log",
        () -> {
          HttpResponse<String> answer = asked.send("GET", path, BodyPublishers.noBody());
          said.set(answer.body());
          return answer.statusCode() == 200;
        });
    return Json.parse(said.get())
        .get("points")
        .valueStream()
        .map(point -> point.get("value").intValue())
        .toList();
  }

  private void assertThatAllIsThereOnce(ServerProcess asked) throws Exception {
    List<JsonNode> trials = asked.trials(id);
    assertThat(trials).hasSize(TRIALS);
    for (JsonNode trial : trials) {
      assertThat(trial.get("status").textValue()).as("%s", trial).isEqualTo("SUCCEEDED");
      int last = trial.get("metric").intValue();
      assertThat(points(asked, trial))
          .as("reports of %s", trial)
          .containsExactlyElementsOf(IntStream.rangeClosed(1, last).boxed().toList());
      assertThat(Files.readAllLines(ran.resolve(trial.get("id").textValue()))).hasSize(1);
    }
    try (var runs = Files.list(ran)) {
      assertThat(runs.count()).as("nothing else ran").isEqualTo(TRIALS);
    }
  }
}
