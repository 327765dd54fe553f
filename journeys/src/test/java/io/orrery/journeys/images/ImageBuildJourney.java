package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.services.ServiceJourney;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Builds of images by a real buildah without privileges, for a real registry. */
abstract class ImageBuildJourney extends ServiceJourney {
  static final String PASSWORD = "plover-31-quartz";
  private static final List<String> FILES =
      List.of("/bin/dash", "/bin/sleep", "/lib64/ld-linux-x86-64.so.2");

  @TempDir Path shared;

  final List<String> answers = new ArrayList<>();
  Path builds;
  DockerRegistry hub;

  @Override
  protected void configure() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/dash")), "needs Debian's shell");
    assumeTrue(isInstalled("buildah"), "needs buildah (Debian: buildah uidmap)");
    hub = DockerRegistry.start(shared.resolve("registry"), PASSWORD);
    builds = Files.createTempDirectory(Path.of("/tmp"), "orrery-builds");
    Files.setPosixFilePermissions(builds, PosixFilePermissions.fromString("rwxr-xr-x"));
    boolean root = "root".equals(System.getProperty("user.name"));
    Files.writeString(
        home().resolve("orrery.yml"),
        "registries: {networks: [127.0.0.1]}\nbuilds: {directory: %s%s}\n"
            .formatted(builds, root ? ", user: " + builder() : ""));
  }

  private static boolean isInstalled(String command) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  /** An ordinary user of this machine that may have user namespaces. */
  private static String builder() throws IOException {
    List<String> users = Files.readAllLines(Path.of("/etc/passwd"));
    List<String> some =
        Files.readAllLines(Path.of("/etc/subuid")).stream()
            .map(line -> line.split(":")[0])
            .filter(user -> !user.equals("root"))
            .filter(user -> users.stream().anyMatch(line -> line.startsWith(user + ":")))
            .toList();
    assumeTrue(!some.isEmpty(), "needs an ordinary user with subordinate user ids");
    return some.getFirst();
  }

  @AfterEach
  void close() throws Exception {
    if (hub != null) {
      hub.close();
      run("rm", "-rf", builds.toString());
    }
  }

  static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  JsonNode send(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer = server.send(method, path, BodyPublishers.ofString(body));
    answers.add(answer.body());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? Json.MAPPER.missingNode() : Json.parse(answer.body());
  }

  void login(String password, int status) throws Exception {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("server", hub.host()).put("user", DockerRegistry.USER).put("password", password);
    send("PUT", "/registries/hub", body.toString(), status);
  }

  String target(String name) {
    return hub.host() + "/team/" + name + ":1";
  }

  ObjectNode document(String target, String dockerfile) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    return body.put("kind", "ImageBuild").put("target", target).put("dockerfile", dockerfile);
  }

  JsonNode state(String build, String... statuses) throws Exception {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(List.of(statuses))
                .as("%s", server.get("/builds/" + build).path("state"))
                .contains(server.get("/builds/" + build).at("/state/status").asText()));
    return server.get("/builds/" + build).path("state");
  }

  String log(String build) throws Exception {
    return server.send("GET", "/builds/" + build + "/logs", BodyPublishers.noBody()).body();
  }

  /** An image with a shell, from a directory of the workspace. */
  void base() throws Exception {
    String user = System.getProperty("user.name");
    Path root = home().resolve("workspaces").resolve(user).resolve("base");
    for (String file : FILES) {
      Path to = root.resolve("root" + (file.equals("/bin/dash") ? "/bin/sh" : file));
      Files.createDirectories(to.getParent());
      Files.copy(Path.of(file).toRealPath(), to);
      to.toFile().setExecutable(true, false);
    }
    Path libc = Path.of("/lib/x86_64-linux-gnu/libc.so.6");
    Path to = root.resolve("root/lib/x86_64-linux-gnu/libc.so.6");
    Files.createDirectories(to.getParent());
    Files.copy(libc.toRealPath(), to);
    to.toFile().setExecutable(true, false);
    Files.writeString(root.resolve("Containerfile"), "FROM scratch\nCOPY root/ /\n");
    ObjectNode body = Json.MAPPER.createObjectNode().put("target", target("base"));
    body.putObject("context").put("workspace", "/mnt/" + user + "/base");
    body.put("volume_mount", "kubeflow-user-workspace(pvc):/mnt,kubeflow-archives(pvc):/archives");
    send("PUT", "/builds/base", body.toString(), 201);
    JsonNode state = state("base", "SUCCEEDED", "FAILED");
    assertThat(state.path("status").asText()).as(state + "\n" + log("base")).isEqualTo("SUCCEEDED");
  }

  /** The processes of this server's builds; those of one that has ended may run on. */
  List<Path> processes() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(path -> path.getFileName().toString().matches("\\d+"))
          .filter(path -> {
            String variables = read(path.resolve("environ"));
            return variables.contains("ORRERY_BUILD_MARK=")
                && variables.contains(builds.toString());
          })
          .toList();
    }
  }

  static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
