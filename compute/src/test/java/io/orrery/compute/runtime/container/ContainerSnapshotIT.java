package io.orrery.compute.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.net.FreePort;
import io.orrery.core.process.SearchPath;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the state of containers of a real Podman, by its own API and by the one of Docker. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ContainerSnapshotIT {
  private final Vertx vertx = Vertx.vertx();

  @TempDir private Path temp;
  private PodmanEngine podman;
  private Process registry;
  private String host;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        SearchPath.of(System.getenv()).find("docker-registry").isPresent(),
        "needs docker-registry (Debian and Ubuntu: apt install docker-registry)");
    podman = PodmanEngine.start();
    int port = FreePort.take();
    host = "127.0.0.1:" + port;
    Path config =
        Files.writeString(
            temp.resolve("registry.yml"),
            """
            version: 0.1
            storage: {filesystem: {rootdirectory: "%s"}}
            http: {addr: "%s"}
            """
                .formatted(temp.resolve("images"), host));
    registry =
        new ProcessBuilder("docker-registry", "serve", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("log").toFile())
            .start();
    Eventually.until(
        "the registry listens",
        () -> {
          try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
          } catch (IOException e) {
            return false;
          }
        });
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    if (registry != null) {
      registry.destroy();
    }
    if (podman != null) {
      podman.close();
    }
  }

  private String id(String image) throws Exception {
    return podman.podman("inspect", "--format", "{{.Id}}", image).strip();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anImageThatHasTheNameOfTheTargetKeepsItWhetherOrNotThePushWorks(boolean asDocker)
      throws Exception {
    ContainerCluster cluster =
        new ContainerCluster("box", podman.socket(), ContainerNetwork.BRIDGE);
    ContainerSnapshot snapshots =
        new ContainerSnapshot(
            new EngineClient(vertx, cluster, new SystemClock(vertx)), ImageLogins.NONE, asDocker);
    podman.podman("create", "--name", "source", PodmanEngine.IMAGE, "true");
    String target = host + "/team/saved:1";
    String nowhere = "127.0.0.1:1/team/saved:1";
    for (String name : new String[] {target, nowhere}) {
      podman.podman("tag", PodmanEngine.IMAGE, name);
    }
    String before = id(target);

    snapshots.take("source", target, ProjectName.PUBLIC);
    snapshots.take("source", host + "/team/free:1", ProjectName.PUBLIC);
    assertThatThrownBy(() -> snapshots.take("source", nowhere, ProjectName.PUBLIC))
        .hasMessageContaining("127.0.0.1:1");

    assertThat(id(target)).isEqualTo(before);
    assertThat(id(nowhere)).isEqualTo(before);
    assertThat(podman.podman("images", "--all", "--format", "{{.Repository}}"))
        .doesNotContain("<none>", "team/free");
    podman.podman("rmi", target);
    podman.podman("pull", target);
    assertThat(id(target)).as("what was pushed").isNotEqualTo(before);
    podman.podman("pull", host + "/team/free:1");
  }
}
