package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with no router, and what a client of its pipelines does. */
abstract class PipelineJourney {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;
  ServerProcess server;

  /** Starts the server, for which programs of its configuration may have to be fetched. */
  @BeforeEach
  @Timeout(300)
  void start() throws Exception {
    Files.createDirectories(home());
    configure();
    begin();
  }

  /** Writes a configuration into the home; none here. */
  void configure() throws Exception {}

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  void begin() throws Exception {
    server =
        ServerProcess.begin(home(), List.of("--port", "0", "--router-port", "off"), Map.of())
            .ready();
  }

  Path home() {
    return temp.toAbsolutePath().resolve("a home");
  }

  // ---- acting --------------------------------------------------------------------------------

  JsonNode put(String name, String document) throws Exception {
    HttpResponse<String> answer =
        server.send("PUT", "/pipelines/" + name, BodyPublishers.ofString(document));
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return Json.parse(answer.body());
  }

  String run(String name, String parameters) throws Exception {
    return server
        .post("/pipelines/" + name + "/run", "{\"parameters\": " + parameters + "}")
        .get("id")
        .textValue();
  }

  JsonNode run(String id) throws Exception {
    return server.get("/runs/" + id);
  }

  String text(String path) throws Exception {
    HttpResponse<String> answer = server.send("GET", path, BodyPublishers.noBody());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  JsonNode awaitEnd(String id) throws Exception {
    await()
        .atMost(PATIENCE)
        .until(() ->
            List.of("SUCCEEDED", "FAILED", "STOPPED").contains(run(id).get("status").textValue()));
    return run(id);
  }

  static JsonNode step(JsonNode run, String name) {
    for (JsonNode step : run.get("steps")) {
      if (step.get("name").textValue().equals(name)) {
        return step;
      }
    }
    throw new AssertionError("no step " + name + " in " + run);
  }

  static String status(JsonNode run, String step) {
    return step(run, step).get("status").textValue();
  }

  String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }

  /** Processes whose command line contains a text. */
  static List<String> processes(String text) throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        try {
          if (Files.readString(process.resolve("cmdline")).contains(text)) {
            found.add(process.toString());
          }
        } catch (IOException gone) {
          // It ended meanwhile.
        }
      }
    }
    return found;
  }
}
