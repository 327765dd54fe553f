package io.orrery.gateway.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The images of {@code deploy/docker}, built by buildah and run by Podman with a read-only root.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class ImagesIT {
  private static final String HOME = "/var/lib/orrery";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static Path temp;
  private static ImageTools tools;
  private static final List<String> STARTED = new ArrayList<>();

  @BeforeAll
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  static void build() throws Exception {
    // The path of a storage has a limit, and what a container left belongs to its user.
    temp = Files.createTempDirectory(Path.of("/tmp"), "orrery-images");
    tools = ImageTools.open(temp);
    Path release = Files.createDirectory(temp.resolve("release"));
    tools.run(
        Map.of(),
        "python3",
        "-B",
        "../deploy/release/make.py",
        "--runtime",
        "--dist",
        System.getProperty("orrery.distribution"),
        "--version",
        "9.8.7",
        "--target",
        release.toString());
    String tarball;
    try (Stream<Path> files = Files.list(release)) {
      tarball =
          files.map(Path::toString).filter(name -> name.contains("linux")).findAny().orElseThrow();
    }
    tools.run(
        Map.of(
            "BASE", ImageTools.BASE, "BUILD_OPTIONS", "--isolation chroot", "BUILDER", "buildah"),
        "../deploy/docker/build",
        tarball,
        "test");
  }

  @AfterAll
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  static void remove() throws Exception {
    for (String container : STARTED) {
      tools.podman("rm", "--force", container);
    }
    if (temp != null) {
      new ProcessBuilder("rm", "-rf", temp.toString()).start().waitFor();
    }
  }

  @Test
  void theServerRunsTrialsWithAReadOnlyRoot() throws Exception {
    String port = freePort();
    String server =
        started("server", port, "up", "--home", HOME, "--port", port, "--router-port", freePort());
    awaitReady(port);

    assertThat(tools.podman("exec", server, "id", "-u")).isEqualTo("10001");
    assertThatThrownBy(() -> tools.podman("exec", server, "touch", "/opt/orrery/x"))
        .hasMessageContaining("Read-only file system");
    tools.podman("healthcheck", "run", server);
    assertThat(tools.podman("exec", server, "sh", "-c", "tr '\\0' ' ' </proc/1/cmdline"))
        .startsWith("/opt/orrery/bin/../jre/bin/java")
        .contains("-XX:AOTCache=/opt/orrery/bin/../lib/orrery.aot");
    assertThat(
            tools
                .podman(
                    "exec",
                    server,
                    "orrery",
                    "experiment",
                    "run",
                    "/opt/orrery/examples/digits/experiment.yml")
                .lines()
                .toList()
                .getLast())
        .matches("best: [a-z0-9]+ 0\\.9.*");
  }

  @Test
  void theStartUpCacheOfTheImageFits() throws Exception {
    assertThat(
            tools.podman(
                "run",
                "--rm",
                "--read-only",
                "--env",
                "ORRERY_JAVA_OPTS=-Xlog:class+load",
                "localhost/orrery-server:test",
                "version"))
        .containsPattern("io\\.orrery\\.gateway\\.launch\\.Main source: shared objects file");
  }

  @Test
  void theRouterFollowsAServer() throws Exception {
    String port = freePort();
    String target = freePort();
    started("server", port, "up", "--home", HOME, "--port", port, "--router-port", freePort());
    awaitReady(port);
    String listen = freePort();
    String admin = freePort();
    Path state = folder();
    Files.writeString(
        state.resolve("routes.yml"),
        """
        listen: {host: 127.0.0.1, port: %s}
        admin: {host: 127.0.0.1, port: %s}
        domain: orrery.localhost
        services: [{name: own, endpoints: ["127.0.0.1:%s"]}]
        """
            .formatted(listen, admin, target));
    String router =
        run(
            "router",
            state,
            "/var/lib/orrery-router",
            Map.of(),
            "--follow",
            "http://127.0.0.1:" + port);
    awaitReady(admin);

    tools.podman("exec", router, "/opt/orrery/libexec/healthy", admin);
    assertThat(tools.podman("exec", router, "id", "-u")).isEqualTo("10001");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Files.exists(state.resolve("routes.yml.last-studio")));
    tools.podman("stop", "--time", "40", router);
    assertThat(tools.podman("inspect", "--format", "{{.State.ExitCode}}", router)).isEqualTo("0");
  }

  private static String started(String image, String port, String... command) throws Exception {
    return run(image, folder(), HOME, Map.of("ORRERY_HTTP_PORT", port), command);
  }

  private static String run(
      String image, Path state, String at, Map<String, String> environment, String... command)
      throws Exception {
    List<String> line = new ArrayList<>(List.of("run", "--detach", "--read-only"));
    line.addAll(List.of("--cap-drop", "ALL", "--security-opt", "no-new-privileges"));
    line.addAll(List.of("--tmpfs", "/tmp:mode=1777", "--volume", state + ":" + at));
    environment.forEach((name, value) -> line.addAll(List.of("--env", name + "=" + value)));
    line.add("localhost/orrery-" + image + ":test");
    line.addAll(List.of(command));
    String container = tools.podman(line.toArray(String[]::new));
    STARTED.add(container);
    return container;
  }

  private static Path folder() throws Exception {
    Path folder = Files.createTempDirectory(temp, "state");
    tools.run(Map.of(), "chown", "10001:10001", folder.toString());
    return folder;
  }

  private static void awaitReady(String port) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/ready")).build();
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200);
  }

  private static String freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return String.valueOf(socket.getLocalPort());
    }
  }
}
