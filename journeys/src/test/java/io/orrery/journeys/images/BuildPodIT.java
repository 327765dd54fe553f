package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.json.Json;
import io.orrery.core.process.SearchPath;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.services.ServiceJourney;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Builds images in pods of a cluster whose pods are processes of an ordinary user of this machine,
 * by a real buildah, and pushes them to a real registry.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class BuildPodIT extends ServiceJourney {
  private static final String PODS = "/api/v1/namespaces/trials/pods";
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";
  private static final String PASSWORD = "plover-32-quartz";
  private static final String TOKEN = "linnet-78-gneiss";

  private static final List<String> FILES =
      List.of(
          "/bin/dash",
          "/bin/sleep",
          "/lib64/ld-linux-x86-64.so.2",
          "/lib/x86_64-linux-gnu/libc.so.6");

  private MockCluster cluster;
  private DockerRegistry hub;
  private Path node;

  @Override
  protected void configure() throws Exception {
    for (String program : List.of("buildah", "newuidmap", "setpriv", "dash")) {
      assumeTrue(
          SearchPath.of(System.getenv()).find(program).isPresent(), "there is no " + program);
    }
    hub = DockerRegistry.start(temp.resolve("registry"), PASSWORD);
    node = Files.createTempDirectory(Path.of("/tmp"), "orrery-node");
    Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("rwxrwxrwx"));
    cluster = new MockCluster(node, true);
    if ("root".equals(System.getProperty("user.name"))) {
      String user = builder();
      Files.write(
          node.resolve("launcher"),
          List.of(
              "setpriv",
              "--reuid=" + user,
              "--regid=" + user,
              "--init-groups",
              "--inh-caps=-all",
              "env",
              // What is in the home of root is not for others.
              "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"));
    }
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Path kubeconfig = cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"));
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        registries: {networks: [127.0.0.1]}
        builds: {image: "hub.example.com/tools/buildah:1"}
        clusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {pipeline: trials}}}
        """
            .formatted(kubeconfig));
  }

  /** An ordinary user of this machine that may have user namespaces. */
  private static String builder() throws IOException {
    List<String> some =
        Files.readAllLines(Path.of("/etc/subuid")).stream()
            .map(line -> line.split(":")[0])
            .filter(user -> !user.equals("root"))
            .toList();
    assumeTrue(!some.isEmpty(), "needs an ordinary user with subordinate user ids");
    return some.getFirst();
  }

  @AfterEach
  void close() throws Exception {
    if (cluster != null) {
      cluster.close();
      hub.close();
      // Layers belong to the user's subordinate ids.
      new ProcessBuilder("rm", "-rf", node.toString()).inheritIO().start().waitFor();
      DirectoryTree.delete(node);
    }
  }

  private JsonNode send(String method, String path, String body, int status) throws Exception {
    var answer = server.send(method, path, BodyPublishers.ofString(body));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? Json.MAPPER.missingNode() : Json.parse(answer.body());
  }

  private JsonNode state(String build, String... statuses) throws Exception {
    await()
        .atMost(PATIENCE.multipliedBy(2))
        .untilAsserted(() ->
            assertThat(List.of(statuses))
                .as("%s\n%s", server.get("/builds/" + build).path("state"), log(build))
                .contains(server.get("/builds/" + build).at("/state/status").asText()));
    return server.get("/builds/" + build).path("state");
  }

  private String log(String build) throws Exception {
    return server.send("GET", "/builds/" + build + "/logs", BodyPublishers.noBody()).body();
  }

  private void awaitWaiting(String build) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(log(build))
                .as("%s\n%s", server.get("/builds/" + build), server.get("/runs"))
                .contains("waiting\n"));
  }

  private void put(String name, String dockerfile, String secrets, int status) throws Exception {
    String user = System.getProperty("user.name");
    Path context = home().resolve("workspaces").resolve(user).resolve("base");
    for (String file : FILES) {
      Path to = context.resolve("root" + (file.equals("/bin/dash") ? "/bin/sh" : file));
      if (!Files.exists(to)) {
        Files.createDirectories(to.getParent());
        Files.copy(Path.of(file).toRealPath(), to);
        to.toFile().setExecutable(true, false);
      }
    }
    ObjectNode body =
        Json.MAPPER
            .createObjectNode()
            .put("kind", "ImageBuild")
            .put("cluster", "kube")
            .put("target", hub.host() + "/team/" + name + ":1")
            .put("dockerfile", dockerfile);
    body.putObject("context").put("workspace", "/mnt/" + user + "/base");
    body.putObject("resources").put("cpu", 2).put("memory", "1G");
    body.set("secrets", Json.parse(secrets));
    send("PUT", "/builds/" + name, body.toString(), status);
  }

  private void login(String password, int status) throws Exception {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("server", hub.host()).put("user", DockerRegistry.USER).put("password", password);
    send("PUT", "/registries/hub", body.toString(), status);
  }

  @Test
  void anOrdinaryPodBuildsAnImageThatTheRegistryHasAndASecretIsNowhere() throws Exception {
    login(PASSWORD, 201);
    send("PUT", "/projects/public/secrets/token", "{\"value\": \"" + TOKEN + "\"}", 200);
    put(
        "tool",
        """
        FROM scratch
        COPY root/ /
        RUN --mount=type=secret,id=tok read -r t < /run/secrets/tok; echo "has ${#t}"
        RUN echo waiting; sleep 3; echo done
        """,
        "{\"tok\": \"secret:token\"}",
        201);

    awaitWaiting("tool");
    JsonNode pod = cluster.list(PODS).getFirst();
    assertThat(state("tool", "RUNNING").path("status").asText()).isEqualTo("RUNNING");
    assertOrdinary(pod);
    JsonNode state = state("tool", "SUCCEEDED", "FAILED");

    assertThat(state.path("status").asText()).as(state + "\n" + log("tool")).isEqualTo("SUCCEEDED");
    assertThat(state.path("digest").asText()).isEqualTo(hub.digest("team/tool", "1"));
    assertThat(state.path("bytes").asLong()).isPositive();
    assertThat(log("tool")).contains("COPY root/ /", "has " + TOKEN.length(), "waiting\ndone\n");
    // The run of the build, its job, its Secrets and its files are gone; the log stays.
    await().atMost(PATIENCE).until(() -> server.get("/runs").path("items").isEmpty());
    await().atMost(PATIENCE).until(() -> cluster.list(JOBS).isEmpty());
    assertThat(pod.toString() + log("tool") + server.log()).doesNotContain(PASSWORD, TOKEN);
    for (Path blob : hub.blobs()) {
      assertThat(Files.readString(blob, StandardCharsets.ISO_8859_1)).doesNotContain(TOKEN);
    }
  }

  /** Nothing that a pod of a stranger could not have: level "baseline" and no claim to more. */
  private static void assertOrdinary(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(spec.at("/securityContext/runAsUser").asInt()).isEqualTo(1000);
    assertThat(spec.path("automountServiceAccountToken").asBoolean(true)).isFalse();
    for (String key : List.of("hostNetwork", "hostPID", "hostIPC")) {
      assertThat(spec.path(key).asBoolean(false)).as(key).isFalse();
    }
    spec.path("volumes").forEach(volume -> assertThat(volume.has("hostPath")).isFalse());
    assertThat(spec.path("containers")).hasSize(1);
    JsonNode container = spec.at("/containers/0");
    JsonNode context = container.path("securityContext");
    assertThat(context.path("privileged").asBoolean(true)).isFalse();
    assertThat(context.at("/capabilities/add")).isEmpty();
    assertThat(pod.toString()).doesNotContain("Unconfined", "unmasked", "hostPath", "docker.sock");
    assertThat(container.path("image").asText()).isEqualTo("hub.example.com/tools/buildah:1");
    assertThat(container.at("/resources/limits/cpu").asText()).isEqualTo("2");
    assertThat(container.at("/resources/limits/memory").asText()).isEqualTo("1024Mi");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aPodBuildGoesOnWithoutItsServerAndCanBeCanceledAndAWrongPasswordIsAReason()
      throws Exception {
    login(PASSWORD, 201);
    put("kept", "FROM scratch\nCOPY root/ /\nRUN echo waiting; sleep 6; echo over\n", "{}", 201);
    awaitWaiting("kept");
    // Pods call the server at the address that it had.
    int port = server.url().getPort();
    server.kill();
    server =
        ServerProcess.begin(
                home(), List.of("--port", Integer.toString(port), "--router-port", "0"), Map.of())
            .ready();
    JsonNode state = state("kept", "SUCCEEDED", "FAILED");
    assertThat(state.path("status").asText()).as(state + "\n" + log("kept")).isEqualTo("SUCCEEDED");
    assertThat(state.path("digest").asText()).isEqualTo(hub.digest("team/kept", "1"));
    assertThat(log("kept").split("waiting\n", -1)).hasSize(2);

    put("gone", "FROM scratch\nCOPY root/ /\nRUN echo waiting; sleep 611\n", "{}", 201);
    awaitWaiting("gone");
    send("POST", "/builds/gone/cancel", "", 200);
    state("gone", "CANCELED");
    assertThat(hub.digest("team/gone", "1")).isEmpty();
    await().atMost(PATIENCE).until(() -> cluster.list(JOBS).isEmpty());

    login("heron-59-basalt", 200);
    put("shut", "FROM scratch\nLABEL a=b\n", "{}", 201);
    assertThat(state("shut", "SUCCEEDED", "FAILED").path("reason").asText())
        .contains("the push ended with exit code", "authentication required");
  }

  @Test
  void whatIsMissingIsAFinding() throws Exception {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("target", "hub.example.com/t:1").put("dockerfile", "FROM scratch");
    assertThat(send("PUT", "/builds/bad", body.put("cluster", "moon").toString(), 400).toString())
        .contains("there is no Kubernetes cluster 'moon'", "there is kube");
    body.remove(List.of("target", "dockerfile"));
    body.put("requirements", "numpy").put("cluster", "kube");
    assertThat(send("PUT", "/builds/bad", body.toString(), 400).toString())
        .contains("an environment is built on the server's machine");
  }
}
