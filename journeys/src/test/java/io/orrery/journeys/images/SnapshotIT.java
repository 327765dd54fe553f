package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.runtime.container.PodmanEngine;
import io.orrery.core.json.Json;
import io.orrery.journeys.services.ServiceJourney;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The state of a container of a real Podman becomes an image of a real registry. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SnapshotIT extends ServiceJourney {
  private static final String PASSWORD = "plover-33-quartz";
  private static final String TOKEN = "linnet-79-gneiss";

  private static PodmanEngine podman;
  private static DockerRegistry hub;

  @BeforeAll
  static void startBoth(@TempDir Path shared) throws Exception {
    hub = DockerRegistry.start(shared.resolve("registry"), PASSWORD);
    podman = PodmanEngine.start();
  }

  @AfterAll
  static void stopBoth() throws Exception {
    if (podman != null) {
      podman.close();
    }
    if (hub != null) {
      hub.close();
    }
  }

  @Override
  protected void configure() throws Exception {
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        registries: {networks: [127.0.0.1]}
        clusters: {box: {runtime: container, network: host, socket: 'unix://%s'}}
        """
            .formatted(podman.socket()));
  }

  private JsonNode send(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer = server.send(method, path, BodyPublishers.ofString(body));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? Json.MAPPER.missingNode() : Json.parse(answer.body());
  }

  private JsonNode ended(String build) throws Exception {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(server.get("/builds/" + build).at("/state/status").asText())
                .as("%s", server.get("/builds/" + build))
                .isIn("SUCCEEDED", "FAILED"));
    return server.get("/builds/" + build).path("state");
  }

  private String log(String build) throws Exception {
    return server.send("GET", "/builds/" + build + "/logs", BodyPublishers.noBody()).body();
  }

  @Test
  void whatWasInstalledInAContainerIsInTheImageAndItsVariablesAreNot() throws Exception {
    ObjectNode account = Json.MAPPER.createObjectNode();
    account.put("server", hub.host()).put("user", DockerRegistry.USER).put("password", PASSWORD);
    send("PUT", "/registries/hub", account.toString(), 201);
    send("PUT", "/projects/public/secrets/token", "{\"value\": \"" + TOKEN + "\"}", 200);
    send(
        "PUT",
        "/services/tool",
        """
        {"name": "tool", "cluster": "box", "image": "%s", "command": "sleep 600", "grace": "1s",
         "volume_mount": "%s", "env": {"TOKEN": "secret:token"}}
        """
            .formatted(PodmanEngine.IMAGE, podman.mounts()),
        201);
    ready("tool");
    String container = podman.podman("ps", "--quiet").strip().lines().findFirst().orElseThrow();
    assertThat(podman.podman("inspect", container)).contains(TOKEN);
    podman.podman("exec", container, "/bin/sh", "-c", "echo by hand > /installed");
    String target = hub.host() + "/team/saved:1";
    String body =
        "{\"kind\": \"ImageBuild\", \"target\": \"%s\", \"snapshotOf\": \"tool\"}"
            .formatted(target);

    send("PUT", "/builds/saved", body, 201);
    JsonNode state = ended("saved");

    assertThat(state.path("status").asText())
        .as(state + "\n" + log("saved"))
        .isEqualTo("SUCCEEDED");
    assertThat(state.path("digest").asText()).isEqualTo(hub.digest("team/saved", "1"));
    assertThat(server.get("/builds/saved").path("snapshotOf").asText()).isEqualTo("service/tool");
    assertThat(log("saved")).contains("Pushed sha256:");
    assertThat(podman.podman("images", "--format", "{{.Repository}}")).doesNotContain("team/saved");
    // As another user of the registry finds it.
    Path login = hub.login(temp);
    podman.podman("pull", "--authfile", login.toString(), target);
    String config = podman.podman("inspect", target);
    assertThat(config).doesNotContain(TOKEN, PASSWORD);
    Path copy = temp.resolve("installed");
    String made = podman.podman("create", target, "/bin/sh").strip();
    podman.podman("cp", made + ":/installed", copy.toString());
    assertThat(copy).hasContent("by hand");
    podman.podman("rm", made);

    // Each of two at once pushes its own.
    for (String name : List.of("left", "right")) {
      send("PUT", "/builds/" + name, body.replace("/team/saved:1", "/team/pair:1"), 201);
    }
    for (String name : List.of("left", "right")) {
      assertThat(ended(name).path("status").asText()).as(log(name)).isEqualTo("SUCCEEDED");
    }
    assertThat(hub.manifests("team/pair")).hasSize(2);
    assertThat(podman.podman("images", "--all", "--format", "{{.Repository}}"))
        .doesNotContain("team/pair", "<none>");

    // A process has no container, and what is not there is not told apart from what is hidden.
    assertThat(
            send("PUT", "/builds/other", body.replace("\"tool\"", "\"service/none\""), 400)
                .toString())
        .contains("there is no workload service/none that runs");
    assertThat(
            send(
                    "PUT",
                    "/builds/other",
                    body.replace("\"tool\"", "\"tool\", \"dockerfile\": \"FROM scratch\""),
                    400)
                .toString())
        .contains("a snapshot is of a container as it is");
  }

  private String build(String digestBefore) throws Exception {
    send("POST", "/builds/kept/start", "{}", 200);
    await()
        .atMost(PATIENCE)
        .until(() -> !server.get("/builds/kept").at("/state/digest").asText().equals(digestBefore));
    JsonNode state = ended("kept");
    assertThat(state.path("status").asText()).as(state + log("kept")).isEqualTo("SUCCEEDED");
    return state.path("digest").asText();
  }

  /** The content of a file in the container of a service that runs an image. */
  private String kept(String image) throws Exception {
    String container = podman.podman("ps", "--quiet", "--filter", "ancestor=" + image).strip();
    return podman.podman("exec", container, "/bin/sh", "-c", "cat /kept").strip();
  }

  @Test
  void aServiceRunsTheLastImageOfABuildAndTakesTheNextOneWhenItIsRestarted() throws Exception {
    ObjectNode account = Json.MAPPER.createObjectNode();
    account.put("server", hub.host()).put("user", DockerRegistry.USER).put("password", PASSWORD);
    send("PUT", "/registries/hub", account.toString(), 201);
    String document =
        """
        {"name": "%s", "cluster": "box", %s, "command": "sleep 600", "grace": "1s",
         "volume_mount": "%s"}
        """;
    String source =
        document.formatted("source", "\"image\": \"" + PodmanEngine.IMAGE + "\"", podman.mounts());
    String taker = document.formatted("taker", "\"imageOf\": \"kept\"", podman.mounts());
    send("PUT", "/services/source", source, 201);
    ready("source");
    String container =
        podman.podman("ps", "--quiet", "--filter", "ancestor=" + PodmanEngine.IMAGE).strip();
    podman.podman("exec", container, "/bin/sh", "-c", "echo first > /kept");
    assertThat(send("PUT", "/services/taker", taker, 400).at("/errors/0/pointer").asText())
        .isEqualTo("/imageOf");
    String name = hub.host() + "/team/kept";
    send(
        "PUT",
        "/builds/kept",
        "{\"target\": \"%s:1\", \"snapshotOf\": \"source\"}".formatted(name),
        201);
    String first = ended("kept").path("digest").asText();

    send("PUT", "/services/taker", taker, 201);
    ready("taker");
    assertThat(server.get("/services/taker").at("/state/image").asText())
        .isEqualTo(name + "@" + first);
    assertThat(server.get("/services/taker").path("imageOf").asText()).isEqualTo("kept");
    assertThat(orrery("describe", "service", "taker").out())
        .contains("image %s@%s of build kept".formatted(name, first));
    assertThat(kept(name + "@" + first)).isEqualTo("first");

    podman.podman("exec", container, "/bin/sh", "-c", "echo second > /kept");
    String second = build(first);
    assertThat(server.get("/services/taker").at("/state/image").asText())
        .isEqualTo(name + "@" + first);
    send("POST", "/services/taker/restart", "{}", 200);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(kept(name + "@" + second)).isEqualTo("second"));
    assertThat(server.get("/services/taker").at("/state/image").asText())
        .isEqualTo(name + "@" + second);

    // Another document, and back to the one before with the image that it had.
    String changed = taker.replace("sleep 600", "sleep 601");
    send("PUT", "/services/taker", changed, 200);
    podman.podman("exec", container, "/bin/sh", "-c", "echo third > /kept");
    build(second);
    send("POST", "/services/taker/rollback", "{}", 200);
    assertThat(server.get("/services/taker").at("/state/image").asText())
        .isEqualTo(name + "@" + second);
  }
}
