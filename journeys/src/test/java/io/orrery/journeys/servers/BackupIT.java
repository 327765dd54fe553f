package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A backup that is made under load has all that was acknowledged before it began. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BackupIT {
  private static final String EXPERIMENT =
      """
      trialCommand: 'for i in 1 2 3 4 5; do echo "orrery: intermediate $i"; done; echo "orrery: final {{params.x}}"'
      trialConcurrency: 3
      maxTrialNumber: 2000
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<String> acknowledged = new CopyOnWriteArrayList<>();
  private final List<Throwable> refused = new CopyOnWriteArrayList<>();
  private ServerProcess server;

  private record Ended(int code, String said) {}

  @AfterEach
  void stop() {
    over.set(true);
    if (server != null) {
      server.close();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void whatWasAcknowledgedBeforeABackupUnderLoadIsInIt() throws Exception {
    Path home = temp.resolve("a home");
    server = ServerProcess.start(home);
    Path model = Files.createDirectories(temp.resolve("model"));
    Files.write(model.resolve("weights.bin"), new byte[300_000]);
    assertThat(orrery(home, "model", "register", "digits", model.toString()).code()).isZero();
    String id =
        server
            .post(
                "/experiments?base=" + temp.toAbsolutePath().toString().replace(" ", "%20"),
                EXPERIMENT)
            .get("id")
            .textValue();
    Thread writer = Thread.ofPlatform().start(this::createOnesOfMlflow);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> results(id).size() >= 20 && acknowledged.size() >= 50);

    List<String> before = List.copyOf(acknowledged);
    Map<String, String> results = results(id);
    Map<String, String> points = points(id, results);
    Ended backup = orrery(home, "backup", "home.zip", "--key", "keys");
    assertThat(backup.code()).as(backup.said()).isZero();
    await().until(() -> acknowledged.size() > before.size());
    over.set(true);
    writer.join();
    assertThat(refused).isEmpty();
    server.close();

    Path fresh = temp.resolve("fresh");
    assertThat(orrery(fresh, "restore", "home.zip").said()).contains("--key");
    Ended restore = orrery(fresh, "restore", "home.zip", "--key", "keys");
    assertThat(restore.code()).as(restore.said()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
        .isEqualTo("rwx------");
    server = ServerProcess.start(fresh);
    for (String name : before) {
      assertThat(
              mlflow("GET", "experiments/get-by-name?experiment_name=" + name, null).statusCode())
          .as(name)
          .isEqualTo(200);
    }
    assertThat(results(id)).containsAllEntriesOf(results);
    assertThat(points(id, results)).isEqualTo(points);
    assertThat(orrery(fresh, "model", "show", "digits").code()).isZero();
    assertThat(orrery(fresh, "backup", "again.zip").code()).isZero();
  }

  @Test
  void aBackupThatWasCutOrChangedMakesNoHome() throws Exception {
    Path home = temp.resolve("home");
    server = ServerProcess.start(home);
    server.close();
    assertThat(orrery(home, "backup", "home.zip").code()).isZero();
    Path backup = temp.resolve("home.zip");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
        .isEqualTo("rw-------");
    assertThat(orrery(home, "restore", "home.zip", "--check").said()).contains("is whole");
    assertThat(orrery(home, "backup", "home.zip").said()).contains("there already");
    assertThat(orrery(home, "restore", "home.zip").said()).contains("not empty");

    Path cut = Files.copy(backup, temp.resolve("cut.zip"));
    try (RandomAccessFile file = new RandomAccessFile(cut.toFile(), "rw")) {
      file.setLength(file.length() / 2);
    }
    Path changed = Files.copy(backup, temp.resolve("changed.zip"));
    try (RandomAccessFile file = new RandomAccessFile(changed.toFile(), "rw")) {
      // Many bytes: one alone may be of a header that nothing reads, such as a time.
      byte[] bytes = new byte[256];
      file.seek(file.length() / 3);
      file.readFully(bytes);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] ^= 0x55;
      }
      file.seek(file.length() / 3);
      file.write(bytes);
    }
    for (Path broken : List.of(cut, changed)) {
      Path fresh = temp.resolve("from " + broken.getFileName());

      Ended restore = orrery(fresh, "restore", broken.toString());

      assertThat(restore.code()).as(restore.said()).isEqualTo(1);
      assertThat(fresh).doesNotExist();
    }
    try (Stream<Path> left = Files.list(temp)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith(".orrery"));
    }
  }

  @Test
  void aHomeWhoseDatabaseIsInPostgresIsNotTakenForAWholeOne() throws Exception {
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"), "store: {url: 'postgresql://me@127.0.0.1:5432/db'}\n");

    Ended refusal = orrery(home, "backup", "home.zip");

    assertThat(refusal.code()).isEqualTo(2);
    assertThat(refusal.said()).contains("pg_dump", "--without-database");
    Path elsewhere = temp.resolve("elsewhere.yml");
    Files.move(home.resolve("orrery.yml"), elsewhere);
    Files.createFile(home.resolve("orrery.db"));
    assertThat(orrery(home, "backup", "home.zip", "--config", elsewhere.toString()).said())
        .contains("pg_dump");
    Files.delete(home.resolve("orrery.db"));
    Files.move(elsewhere, home.resolve("orrery.yml"));
    assertThat(orrery(home, "backup", "home.zip", "--without-database").code()).isZero();
    assertThat(orrery(home, "restore", "home.zip", "--check").said()).contains("pg_restore");
  }

  @Test
  void aHomeThatIsNotThereIsNamed() throws Exception {
    Path none = temp.resolve("none");

    Ended refusal = orrery(none, "backup", temp.resolve("home.zip").toString());

    assertThat(refusal.code()).isEqualTo(2);
    assertThat(refusal.said()).contains(none + " is not there", "--home");
  }

  private void createOnesOfMlflow() {
    for (int i = 0; !over.get(); i++) {
      String name = "set-" + i;
      try {
        HttpResponse<String> reply =
            mlflow("POST", "experiments/create", "{\"name\":\"" + name + "\"}");
        if (reply.statusCode() == 200) {
          acknowledged.add(name);
        } else {
          refused.add(new IOException(reply.statusCode() + " " + reply.body()));
        }
      } catch (IOException | InterruptedException e) {
        refused.add(e);
      }
    }
  }

  private HttpResponse<String> mlflow(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/2.0/mlflow/" + path))
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return http.send(request.build(), BodyHandlers.ofString());
  }

  /** The results of trials that have succeeded. */
  private Map<String, String> results(String id) throws IOException, InterruptedException {
    Map<String, String> results = new TreeMap<>();
    for (JsonNode trial : server.trials(id)) {
      if (trial.path("status").asText().equals("SUCCEEDED")) {
        results.put(trial.path("id").asText(), trial.path("metric").toString());
      }
    }
    return results;
  }

  /** The points that the trials have reported. */
  private Map<String, String> points(String id, Map<String, String> trials)
      throws IOException, InterruptedException {
    Map<String, String> points = new TreeMap<>();
    for (String trial : trials.keySet()) {
      JsonNode reported =
          server.get("/experiments/" + id + "/trials/" + trial + "/metrics?since=0");
      assertThat(reported.path("points")).hasSize(5);
      points.put(trial, reported.path("points").toString());
    }
    return points;
  }

  private Ended orrery(Path home, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(ServerProcess.command(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).directory(temp.toFile());
    builder.environment().put("ORRERY_HOME", home.toString());
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
