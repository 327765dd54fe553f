package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts a server on homes that version 0.1.0 has left, with experiments that ended, were stopped
 * and were under way. {@code earlier/capture.py} made them, and wrote down what the API of 0.1.0
 * said.
 */
@Timeout(300)
class EarlierVersionIT {
  /** Keys of answers that depend on where the home is, and on what was asked before. */
  private static final Set<String> OF_THE_PLACE =
      Set.of("directory", "experimentWorkingDirectory", "state");

  private static final String GOES_ON = "moving";

  @TempDir Path temp;

  private static InputStream resource(String name) {
    return Objects.requireNonNull(EarlierVersionIT.class.getResourceAsStream("/earlier/" + name));
  }

  private Path home(String name) throws Exception {
    Path home = Files.createDirectories(temp.resolve("a home")).toRealPath();
    Process unpack =
        new ProcessBuilder("tar", "xzf", "-", "-C", home.toString())
            .redirectErrorStream(true)
            .start();
    try (InputStream in = resource(name);
        OutputStream to = unpack.getOutputStream()) {
      in.transferTo(to);
    }
    assertThat(unpack.waitFor()).isZero();
    return home;
  }

  @Test
  void nothingOfAHomeIsLost() throws Exception {
    check(home("home-0.1.0.tar.gz"));
  }

  @Test
  void nothingOfADatabaseIsLost() throws Exception {
    Path home = home("home-0.1.0-postgresql.tar.gz");
    String url = PostgresServer.newDatabase();
    try (InputStream in = new GZIPInputStream(resource("database-0.1.0.sql.gz"))) {
      String dump = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      PostgresServer.tell(
          url,
          dump.lines()
              .filter(line -> !line.startsWith("\\") && !line.startsWith("--"))
              .collect(Collectors.joining("\n")));
    }
    Files.writeString(home.resolve("orrery.yml"), "store: {url: '" + url + "'}\n");
    check(home);
    assertThat(home.resolve("orrery.db")).doesNotExist();
  }

  private static void check(Path home) throws Exception {
    JsonNode said = Json.parse(Files.readString(home.resolve("said.json")));
    String moving = "";
    List<String> flags = List.of("--port", "0", "--router-port", "0");
    try (ServerProcess server = ServerProcess.begin(home, flags, Map.of()).ready()) {
      for (JsonNode experiment : said.get("experiments")) {
        String id = experiment.get("id").asText();
        if (experiment.get("name").asText().equals(GOES_ON)) {
          moving = id;
        } else {
          same(experiment, server.get("/experiments/" + id), id);
        }
        assertThat(server.get("/experiments/" + id).path("project").asText()).isEqualTo("public");
      }
      same(said.get("routes"), server.get("/routes"), "routes");
      trials(server, said);

      // What was under way when that server was stopped ends as usual.
      server.awaitStatus(moving, Duration.ofSeconds(90), "DONE");
      List<JsonNode> trials = server.trials(moving);
      assertThat(trials)
          .extracting(trial -> trial.get("status").asText())
          .containsExactlyInAnyOrder("SUCCEEDED", "SUCCEEDED", "FAILED", "SUCCEEDED", "SUCCEEDED");
      assertThat(server.get("/experiments/" + moving).at("/best/metric").asDouble())
          .isEqualTo(0.75);

      // And what had ended can go on, with what is newer.
      for (JsonNode experiment : said.get("experiments")) {
        if (experiment.get("status").asText().equals("DONE")) {
          String id = experiment.get("id").asText();
          server.patch("/experiments/" + id, "{\"maxTrialNumber\": 6}");
          server.awaitStatus(id, Duration.ofSeconds(90), "DONE");
          assertThat(server.trials(id)).hasSize(6);
        }
      }
      assertThat(server.log()).doesNotContain("ERROR");
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      trials(server, said);
      assertThat(server.trials(moving)).hasSize(5);
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }

  /** Each trial that had ended, its logs and all its points. */
  private static void trials(ServerProcess server, JsonNode said) throws Exception {
    int compared = 0;
    for (JsonNode all : said.get("trials")) {
      for (JsonNode trial : all) {
        String experiment = trial.get("experiment").asText();
        String id = trial.get("id").asText();
        String path = "/experiments/" + experiment + "/trials/" + id;
        if (!trial.get("endedAt").isNull()) {
          same(trial, server.get(path), path);
          compared++;
        }
        same(said.at("/metrics/" + experiment + "/" + id), server.get(path + "/metrics"), path);
        assertThat(server.text("/api/v1" + path + "/logs/stdout")).contains("intermediate");
      }
    }
    assertThat(compared).isEqualTo(9);
  }

  /** All that was said is said again; more may be. */
  private static void same(JsonNode before, JsonNode now, String at) throws IOException {
    if (before.isObject()) {
      for (String key : (Iterable<String>) before::fieldNames) {
        if (!OF_THE_PLACE.contains(key)) {
          assertThat(now.has(key)).as("%s/%s", at, key).isTrue();
          same(before.get(key), now.get(key), at + "/" + key);
        }
      }
    } else if (before.isArray()) {
      assertThat(now.size()).as(at).isEqualTo(before.size());
      for (int i = 0; i < before.size(); i++) {
        same(before.get(i), now.get(i), at + "/" + i);
      }
    } else {
      assertThat(now).as(at).isEqualTo(before);
    }
  }
}
