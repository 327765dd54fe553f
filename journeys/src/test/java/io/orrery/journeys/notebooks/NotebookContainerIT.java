package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.container.PodmanEngine;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notebooks in containers of a real Podman, with the Jupyter of this machine mounted. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class NotebookContainerIT extends NotebookJourney {
  private static PodmanEngine podman;

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
  String configuration() {
    return "auth: {users: true, sandbox: none}\nclusters: {box: {runtime: container, socket: 'unix://%s'}}\n"
        .formatted(podman.socket());
  }

  private static String inBox(String more) {
    return ",\"cluster\":\"box\",\"image\":\"%s\",\"mounts\":\"%s\"%s"
        .formatted(PodmanEngine.IMAGE, podman.mounts(), more);
  }

  private String containers() throws Exception {
    return podman.podman("ps", "--all", "--no-trunc", "--format", "{{.ID}}");
  }

  @Test
  void aCellRunsInAContainerBehindTheGuardAndFilesOutliveItAndTheServer() throws Exception {
    create(inBox(",\"resources\":{\"memory\":\"1G\"}"));
    awaitStatus("RUNNING");
    String pass = pass(ann);

    assertThat(
            run(
                pass,
                "import os; open('kept.txt', 'w').write('here');"
                    + " open('/archives/ann/old.txt', 'w').write('there');"
                    + " print(6 * 7, os.getcwd(), os.environ['HOME'], os.environ['ORRERY_ARCHIVES'])"))
        .isEqualTo("42 /mnt/ann /mnt/ann /archives/ann\n");
    assertThat(temp.resolve("home/workspaces/ann/kept.txt")).hasContent("here");
    assertThat(temp.resolve("home/archives/ann/old.txt")).hasContent("there");

    // The token is the program's own, and in nothing that others read.
    String token = run(pass, "import os; print(os.environ['JUPYTER_TOKEN'])").strip();
    assertThat(token).matches("[0-9a-f]{64}");
    assertThat(podman.podman("ps", "--all", "--no-trunc", "--format", "{{.Labels}} {{.Command}}"))
        .doesNotContain(token);
    for (String forged : new String[] {"", ann.cookie(), pass.substring(0, pass.length() - 2)}) {
      assertThat(ask(HttpMethod.GET, "/api/status", forged, "").status()).as(forged).isEqualTo(401);
      assertThat(refusedSocket(forged)).as(forged).isEqualTo(401);
    }
    JsonNode workload = users.get(ann, "/api/v1/workloads/notebook-ann-1").json();
    int port =
        Integer.parseInt(workload.at("/replicas/0/endpoint").textValue().replaceAll(".*:", ""));
    assertThat(
            http.request(HttpMethod.GET, port, "127.0.0.1", "/api/status")
                .compose(request -> request.send())
                .await(10, TimeUnit.SECONDS)
                .statusCode())
        .isEqualTo(403);

    String container = containers();
    server.kill();
    begin();
    users.moveTo(server);
    ann = users.signIn("ann");
    awaitStatus("RUNNING");
    assertThat(containers()).isEqualTo(container);
    assertThat(run(pass, "print(open('kept.txt').read())")).isEqualTo("here\n");

    act("reset");
    awaitStatus("RUNNING");
    assertThat(run(pass, "print(open('/archives/ann/old.txt').read())")).isEqualTo("there\n");
    assertThat(containers()).isNotEqualTo(container);

    act("stop");
    awaitStatus("STOPPED");
    assertThat(containers()).isBlank();
    assertThat(temp.resolve("home/workspaces/ann/kept.txt")).hasContent("here");
  }

  @Test
  void whatAnImageLacksIsSaidWithTheExitCodeAndTheLastLines() throws Exception {
    podman.podman("tag", PodmanEngine.IMAGE, "localhost/orrery-test/bare:latest");
    Path programs = Files.createDirectories(temp.resolve("programs"));
    Files.writeString(programs.resolve("jupyter-lab"), "#!/bin/sh\necho no kernel here; exit 3\n");
    assertThat(programs.resolve("jupyter-lab").toFile().setExecutable(true)).isTrue();
    create(
        ",\"cluster\":\"box\",\"image\":\"localhost/orrery-test/bare:latest\",\"mounts\":\"%s\",\"env\":{\"PATH\":\"/own:/usr/bin:/bin\"}"
            .formatted(podman.mounts() + "," + programs.toRealPath() + "(hostpath):/own"));

    awaitStatus("FAILED");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          JsonNode state = shown().get("state");
          assertThat(state.get("exitCode").intValue()).as(state.toString()).isEqualTo(3);
          assertThat(state.get("lastLines").toString()).contains("no kernel here");
        });

    // A claim that a machine has not is a finding, and an image that is not there is one.
    assertThat(
            users
                .send(
                    ann,
                    "POST",
                    ALL,
                    "{\"name\":\"ann-2\",\"project\":\"vision\"%s}"
                        .formatted(
                            inBox("").replace("\"mounts\":\"", "\"mounts\":\"x(pvc):/data,")))
                .body())
        .contains("x(pvc):/data cannot be mounted");
    assertThat(
            users
                .send(
                    ann,
                    "POST",
                    ALL,
                    "{\"name\":\"ann-2\",\"project\":\"vision\",\"cluster\":\"box\",\"image\":\"127.0.0.1:9/a/b:1\"}")
                .body())
        .contains("127.0.0.1:9/a/b:1 is not there and cannot be pulled");
    // Nor are GPUs that this machine does not have, whether for a container or a process.
    String gpu = ",\"resources\":{\"gpu\":100}}";
    String ask = "{\"name\":\"ann-2\",\"project\":\"vision\"";
    assertThat(users.send(ann, "POST", ALL, ask + inBox("") + gpu).body())
        .contains("it needs 100 GPUs, but ");
    assertThat(users.send(ann, "POST", ALL, ask + gpu).body()).contains("it needs 100 GPUs, but ");
    assertThat(users.get(ann, ALL + "/ann-2").status()).isEqualTo(404);
  }
}
