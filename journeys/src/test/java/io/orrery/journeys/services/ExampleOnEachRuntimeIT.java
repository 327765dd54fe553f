package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.runtime.container.PodmanEngine;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the first example as processes, in containers of a real Podman, and in pods. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ExampleOnEachRuntimeIT extends ServiceJourney {
  private static PodmanEngine podman;

  private MockCluster cluster;

  @BeforeAll
  static void startPodman() throws Exception {
    podman = PodmanEngine.start();
  }

  @AfterAll
  static void stopPodman() throws Exception {
    if (podman != null) {
      podman.close();
    }
  }

  @Override
  protected void configure() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        clusters:
          box: {runtime: container, socket: 'unix://%s', image: '%s'}
          dev: {runtime: kubernetes, kubeconfig: '%s', image: 'python:3', namespaces: {service: trials}}
        """
            .formatted(
                podman.socket(),
                PodmanEngine.IMAGE,
                cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"))));
  }

  @Override
  @AfterEach
  protected void stop() throws Exception {
    try {
      super.stop();
    } finally {
      cluster.close();
    }
  }

  /** The settings of the project: the image of these tests has its programs in mounts. */
  private void settings(String settings) throws Exception {
    HttpResponse<String> set =
        server.send(
            "PUT",
            "/projects/public",
            BodyPublishers.ofString("{\"settings\": {" + settings + "}}"));
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
  }

  private void runsWith(String line, String onCluster) throws Exception {
    Path hello = temp.resolve("hello.yml");
    Files.writeString(hello, Files.readString(EXAMPLES.resolve("hello.yml")) + line);
    Path code = Files.createDirectories(temp.resolve("hello"));
    Files.writeString(
        code.resolve("hello.py"), Files.readString(EXAMPLES.resolve("hello/hello.py")));

    Ended applied = orrery("apply", "-f", hello.toString());

    assertThat(applied.code()).as(applied.err()).isZero();
    ready("hello");
    await().atMost(PATIENCE).until(() -> answer("hello").statusCode() == 200);
    assertThat(answer("hello").body()).startsWith("Hello from service/hello/");
    JsonNode workload = server.get("/workloads/service-hello");
    assertThat(workload.path("cluster").asText()).as("%s", workload).isEqualTo(onCluster);
    assertThat(orrery("service", "clear", "hello").code()).isZero();
    await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
  }

  @Test
  void itIsTheSameFileWithAnotherClusterAlone() throws Exception {
    runsWith("", "here");
    settings("\"volume_mount\": \"%s\"".formatted(podman.mounts()));
    runsWith("cluster: box\n", "box");
    settings("");
    runsWith("cluster: dev\n", "dev");
    assertThat(podman.podman("ps", "--all", "--quiet")).isBlank();
  }
}
