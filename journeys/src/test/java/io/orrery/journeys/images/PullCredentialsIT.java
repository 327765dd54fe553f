package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.container.PodmanEngine;
import io.orrery.core.json.Json;
import io.orrery.journeys.services.ServiceJourney;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Containers of a real Podman whose images are on a real registry that asks for a password. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PullCredentialsIT extends ServiceJourney {
  private static final String PASSWORD = "plover-31-quartz";
  private static final String WRONG = "heron-58-basalt";

  private static PodmanEngine podman;
  private static DockerRegistry hub;
  private static String image;

  private final List<String> answers = new ArrayList<>();

  @BeforeAll
  static void startBoth(@TempDir Path shared) throws Exception {
    hub = DockerRegistry.start(shared.resolve("registry"), PASSWORD);
    podman = PodmanEngine.start();
    image = hub.host() + "/team/python:1";
    Path login = hub.login(shared);
    podman.podman("tag", PodmanEngine.IMAGE, image);
    podman.podman("push", "--authfile", login.toString(), image);
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
    podman.podman("rmi", "--force", image);
    Files.writeString(
        home().resolve("orrery.yml"),
        "clusters: {box: {runtime: container, network: host, socket: 'unix://%s'}}\n"
            .formatted(podman.socket()));
  }

  private JsonNode send(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer = server.send(method, path, BodyPublishers.ofString(body));
    answers.add(answer.body());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? Json.MAPPER.missingNode() : Json.parse(answer.body());
  }

  private void login(String password, int status) throws Exception {
    send(
        "PUT",
        "/registries/hub",
        Json.MAPPER
            .createObjectNode()
            .put("server", hub.host() + "/team")
            .put("user", DockerRegistry.USER)
            .put("password", password)
            .toString(),
        status);
  }

  private String service(String name, String project) {
    return """
    {"name": "%s", "project": "%s", "cluster": "box", "image": "%s",
     "command": "sleep 600", "grace": "1s", "volume_mount": "%s"}
    """
        .formatted(name, project, image, podman.mounts());
  }

  private boolean isThere() throws Exception {
    return podman.podman("images", "--format", "{{.Repository}}").contains("team/python");
  }

  /** In no file of the home, no log, no answer, no container and on no command line. */
  private void assertNowhere(String password) throws Exception {
    String both = DockerRegistry.USER + ":" + password;
    String basic = Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
    List<String> texts = new ArrayList<>(answers);
    texts.add(server.log());
    String ids = podman.podman("ps", "--all", "--quiet").strip();
    if (!ids.isEmpty()) {
      List<String> inspect = new ArrayList<>(List.of("inspect"));
      inspect.addAll(ids.lines().toList());
      texts.add(podman.podman(inspect.toArray(String[]::new)));
    }
    try (Stream<Path> files = Stream.concat(Files.walk(home()), commandLines())) {
      for (Path file : files.toList()) {
        texts.add(read(file));
      }
    }
    assertThat(texts).noneMatch(text -> text.contains(password) || text.contains(basic));
  }

  private static Stream<Path> commandLines() throws Exception {
    return Files.list(Path.of("/proc"))
        .filter(path -> path.getFileName().toString().matches("\\d+"))
        .map(path -> path.resolve("cmdline"));
  }

  private static String read(Path file) {
    try {
      return Files.isDirectory(file)
          ? ""
          : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  @Test
  void aServiceIsPulledWithThePasswordOfItsProjectAndOfNoOther() throws Exception {
    assertThat(send("PUT", "/services/greeter", service("greeter", "public"), 400).toString())
        .contains("cannot be pulled");
    login(WRONG, 201);
    assertThat(send("PUT", "/services/greeter", service("greeter", "public"), 400).toString())
        .contains("cannot be pulled");
    assertThat(isThere()).isFalse();

    login(PASSWORD, 200);
    send("PUT", "/services/greeter", service("greeter", "public"), 201);
    ready("greeter");
    assertThat(isThere()).isTrue();
    assertNowhere(PASSWORD);
    assertNowhere(WRONG);

    // The engine has the image now; another project still needs a password of its own.
    send("PUT", "/projects/other", "{}", 201);
    assertThat(send("PUT", "/services/thief", service("thief", "other"), 400).toString())
        .contains("cannot be pulled");

    // After a restart the same holds.
    server.kill();
    begin();
    ready("greeter");
    assertThat(send("PUT", "/services/thief", service("thief", "other"), 400).toString())
        .contains("cannot be pulled");
  }

  @Test
  void aStepIsPulledWithThePasswordAsItIsThen() throws Exception {
    send("PUT", "/projects/public/secrets/hub", "{\"value\": \"" + WRONG + "\"}", 200);
    login("secret:hub", 201);
    send(
        "PUT",
        "/pipelines/boxed",
        """
        {"tasks": [{"name": "one", "image": "%s", "command": "echo pulled",
         "volume_mount": "%s"}]}
        """
            .formatted(image, podman.mounts()),
        201);
    assertThat(ended(run()).path("reason").asText()).contains("cannot be pulled");

    send("PUT", "/projects/public/secrets/hub", "{\"value\": \"" + PASSWORD + "\"}", 200);
    JsonNode step = ended(run());

    assertThat(step.path("status").asText()).as(step.toString()).isEqualTo("SUCCEEDED");
    assertNowhere(PASSWORD);
  }

  private String run() throws Exception {
    return send("POST", "/pipelines/boxed/run", "{}", 201).path("id").asText();
  }

  private JsonNode ended(String run) throws Exception {
    await()
        .atMost(PATIENCE)
        .until(() -> List.of("SUCCEEDED", "FAILED").contains(step(run).path("status").asText()));
    return step(run);
  }

  private JsonNode step(String run) throws Exception {
    return send("GET", "/runs/" + run, "", 200).path("steps").path(0);
  }
}
