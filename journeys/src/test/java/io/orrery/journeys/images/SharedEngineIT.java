package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.runtime.container.PodmanEngine;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keeps the state of containers of two servers on one Podman, under the same names. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SharedEngineIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PASSWORD = "siskin-52-marble";
  private static final int ROUNDS = 6;

  @TempDir private Path temp;
  private final List<ServerProcess> servers = new ArrayList<>();
  private PodmanEngine podman;
  private DockerRegistry hub;

  @BeforeEach
  void start() throws Exception {
    hub = DockerRegistry.start(temp.resolve("registry"), PASSWORD);
    podman = PodmanEngine.start();
    for (String name : List.of("one", "other")) {
      Path home = Files.createDirectories(temp.toAbsolutePath().resolve(name));
      Files.writeString(
          home.resolve("orrery.yml"),
          """
          registries: {networks: [127.0.0.1]}
          clusters: {box: {runtime: container, network: host, socket: 'unix://%s'}}
          """
              .formatted(podman.socket()));
      servers.add(
          ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of())
              .ready());
    }
    ObjectNode account = Json.MAPPER.createObjectNode();
    account.put("server", hub.host()).put("user", DockerRegistry.USER).put("password", PASSWORD);
    String document =
        """
        {"name": "tool", "cluster": "box", "image": "%s", "command": "sleep 600", "grace": "1s",
         "volume_mount": "%s"}
        """
            .formatted(PodmanEngine.IMAGE, podman.mounts());
    for (ServerProcess server : servers) {
      send(server, "PUT", "/registries/hub", account.toString());
      send(server, "PUT", "/services/tool", document);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(server.get("/services/tool").at("/state/status").asText())
                  .as("%s", server.get("/services/tool"))
                  .isEqualTo("READY"));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (ServerProcess server : servers) {
      server.send("DELETE", "/services/tool", BodyPublishers.noBody());
      await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
      server.close();
    }
    if (podman != null) {
      podman.close();
    }
    if (hub != null) {
      hub.close();
    }
  }

  private static void send(ServerProcess server, String method, String path, String body)
      throws Exception {
    HttpResponse<String> answer = server.send(method, path, BodyPublishers.ofString(body));
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
  }

  private static void awaitEnd(ServerProcess server, int number) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode state = server.get("/builds/saved").path("state");
          assertThat(state.path("number").asInt()).isEqualTo(number);
          assertThat(state.path("status").asText()).as("%s", state).isIn("SUCCEEDED", "FAILED");
        });
  }

  @Test
  void neitherTakesNorDeletesAnImageOfTheOther() throws Exception {
    String target = hub.host() + "/team/saved:1";
    // Another image has the name on this engine.
    podman.podman("tag", PodmanEngine.IMAGE, target);
    String named = id(target);
    String document =
        "{\"kind\": \"ImageBuild\", \"target\": \"%s\", \"snapshotOf\": \"tool\"}"
            .formatted(target);
    for (int round = 1; round <= ROUNDS; round++) {
      for (ServerProcess server : servers) {
        if (round == 1) {
          send(server, "PUT", "/builds/saved", document);
        } else {
          send(server, "POST", "/builds/saved/start", "{}");
        }
      }
      for (ServerProcess server : servers) {
        awaitEnd(server, round);
        assertThat(server.get("/builds/saved").at("/state/status").asText())
            .as("round %d: %s", round, server.get("/builds/saved"))
            .isEqualTo("SUCCEEDED");
      }
    }
    assertThat(hub.manifests("team/saved")).as("each pushed its own").hasSize(2 * ROUNDS);
    assertThat(id(target)).isEqualTo(named);
    assertThat(podman.podman("images", "--all", "--format", "{{.Repository}}"))
        .doesNotContain("<none>");
    assertThat(podman.podman("ps", "--quiet").lines()).hasSize(2);
  }

  private String id(String image) throws Exception {
    return podman.podman("inspect", "--format", "{{.Id}}", image).strip();
  }
}
