package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The notes and tags of an experiment and its trials in its archive. */
@Timeout(120)
class ArchivedNotesIT {
  private static final String CONFIG =
      """
      experimentName: noted
      trialCommand: echo 'orrery:' final 1
      trialCodeDirectory: %s
      trialConcurrency: 2
      searchSpace: {x: {_type: choice, _value: [1, 2, 3]}}
      tuner: {name: GridSearch}
      trainingService: {platform: local}
      """;

  @TempDir static Path temp;
  private static ServerProcess server;

  private String id = "";
  private List<String> places = List.of();
  private List<JsonNode> noted = List.of();
  private String archive = "";

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(temp.resolve("home"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** An experiment with notes and tags, two of its three trials having some, that is archived. */
  @BeforeEach
  void archived() throws Exception {
    id = server.post("/experiments", CONFIG.formatted(temp)).get("id").textValue();
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
    places = new ArrayList<>(List.of(one()));
    for (JsonNode trial : server.trials(id)) {
      places.add(one() + "/trials/" + trial.get("id").textValue());
    }
    annotate(places.get(0), "{\"note\": \"of the first\\nserver\", \"tags\": [\"b\", \"a\"]}");
    annotate(places.get(1), "{\"note\": \"odd\", \"tags\": [\"look\"]}");
    annotate(places.get(3), "{\"tags\": [\"look\"]}");
    noted = notes();
    archive = server.text("/api/v1" + one() + "/archive");
    assertThat(server.send("DELETE", one(), BodyPublishers.noBody()).statusCode()).isEqualTo(200);
  }

  private String one() {
    return "/experiments/" + id;
  }

  private static void annotate(String place, String change) throws Exception {
    server.patch(place + "/annotation", change);
  }

  private List<JsonNode> notes() throws Exception {
    List<JsonNode> notes = new ArrayList<>();
    for (String place : places) {
      notes.add(server.get(place + "/annotation"));
    }
    return notes;
  }

  private static HttpResponse<String> restore(String text) throws Exception {
    return server.send("POST", "/experiments/restore", BodyPublishers.ofString(text));
  }

  @Test
  void anArchiveBringsThemBackWithTheTimesOfTheirChanges() throws Exception {
    assertThat(restore(archive).statusCode()).isEqualTo(201);

    assertThat(notes()).isEqualTo(noted);
    assertThat(server.get(one()).get("tags").toString()).isEqualTo("[\"a\",\"b\"]");
  }

  @Test
  void anOlderArchiveHasNone() throws Exception {
    StringBuilder older = new StringBuilder();
    for (String line : archive.lines().toList()) {
      ObjectNode json = (ObjectNode) Json.parse(line);
      json.remove("annotation");
      older.append(json).append('\n');
    }

    assertThat(restore(older.toString()).statusCode()).isEqualTo(201);

    assertThat(notes())
        .allMatch(none -> none.get("note").textValue().isEmpty() && none.get("tags").isEmpty());
  }

  @Test
  void oneThatNoServerWritesRefusesTheArchiveWithItsLine() throws Exception {
    HttpResponse<String> refused = restore(archive.replace("\"odd\"", "7"));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(Json.parse(refused.body()).at("/errors/0/line").intValue()).isEqualTo(2);
    assertThat(refused.body()).contains("a note is text");
    assertThat(server.send("GET", one(), BodyPublishers.noBody()).statusCode()).isEqualTo(404);
  }
}
