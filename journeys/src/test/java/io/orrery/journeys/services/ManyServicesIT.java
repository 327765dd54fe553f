package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Gives back all that many services have had: 100 of them, or {@code -Dorrery.services=2000}. Some
 * are deleted while they run, some while they start, and some before they do.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ManyServicesIT extends ServiceJourney {
  private static final int SERVICES = Integer.getInteger("orrery.services", 100);
  private static final int FIRST_PORT = 30_000;
  private static final Duration LONG = Duration.ofMinutes(20);

  /** In the command of every replica, so that their processes are found. */
  private final String mark = "orrery-many-" + ProcessHandle.current().pid();

  private static String name(int number) {
    return "many-" + number;
  }

  /** One that listens on nothing: it has ports and processes, and never gets ready. */
  private ObjectNode document(int number) {
    ObjectNode document = Json.MAPPER.createObjectNode();
    document
        .put("name", name(number))
        .put("command", "sleep 3600; : " + mark)
        .put("grace", "1s")
        .put("expose", true);
    document.putArray("ports").add(8080);
    return document;
  }

  private long processes() throws IOException {
    long count = 0;
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        try {
          count += Files.readString(process.resolve("cmdline")).contains(mark) ? 1 : 0;
        } catch (IOException ended) {
          count += 0;
        }
      }
    }
    return count;
  }

  private List<String> directories() throws IOException {
    List<String> names = new ArrayList<>();
    try (var all = Files.newDirectoryStream(home().resolve("workloads"))) {
      all.forEach(directory -> names.add(directory.getFileName().toString()));
    }
    return names.stream().filter(directory -> directory.contains("many-")).toList();
  }

  @Test
  void portsProcessesFilesAndRoutesOfManyServicesAreGivenBack() throws Exception {
    for (int i = 0; i < SERVICES; i++) {
      put(document(i).toString());
    }
    int started = Math.min(10, SERVICES);
    await().atMost(LONG).until(() -> processes() >= started);
    assertThat(directories()).hasSizeGreaterThanOrEqualTo(started);
    assertThat(server.get("/routes").get("services")).hasSizeGreaterThanOrEqualTo(started);

    for (int i = 0; i < SERVICES; i++) {
      var deleted = server.send("DELETE", path(name(i)), BodyPublishers.noBody());
      assertThat(deleted.statusCode()).as(deleted.body()).isBetween(200, 299);
    }

    await().atMost(LONG).until(() -> server.get("/workloads").get("items").isEmpty());
    assertThat(processes()).isZero();
    assertThat(directories()).isEmpty();
    await().atMost(PATIENCE).until(() -> server.get("/routes").get("services").isEmpty());
    assertThat(server.get("/services").get("items")).isEmpty();

    put(document(SERVICES).toString());
    JsonNode addresses = state(name(SERVICES)).get("addresses");
    assertThat(addresses.toString()).contains("tcp://127.0.0.1:" + FIRST_PORT);
  }
}
