package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.container.PodmanEngine;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs services as containers of a real Podman: from a document to answers under a name. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ContainerServiceIT extends ServiceJourney {
  private static final String PROGRAM =
      """
      import http.server, os
      class Greeter(http.server.BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'
          def do_GET(self):
              body = f"{os.environ['GREETING']} from {os.environ['ORRERY_REPLICA']}".encode()
              self.send_response(200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)
          def log_message(self, format, *args):
              print(format % args, flush=True)
      class Server(http.server.ThreadingHTTPServer):
          request_queue_size = 128
      Server(('0.0.0.0', 8080), Greeter).serve_forever()
      """;

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
  protected void configure() throws Exception {
    Files.writeString(
        home().resolve("orrery.yml"),
        "clusters: {box: {runtime: container, socket: 'unix://%s'}}\n".formatted(podman.socket()));
    Files.writeString(Files.createDirectories(temp.resolve("code")).resolve("greeter.py"), PROGRAM);
  }

  private Path document(String greeting, String more) throws Exception {
    return Files.writeString(
        temp.resolve("greeter.yml"),
        """
        kind: Service
        name: greeter
        cluster: box
        image: %s
        code: ./code
        command: exec python3 greeter.py
        ports: [8080]
        health: 8080:/
        grace: 5s
        env: {GREETING: %s}
        volume_mount: "%s"
        %s
        """
            .formatted(PodmanEngine.IMAGE, greeting, podman.mounts(), more));
  }

  private String containers() throws Exception {
    return podman.podman("ps", "--all", "--no-trunc", "--format", "{{.ID}}");
  }

  @Test
  void aServiceInAContainerAnswersAndSurvivesTheServer() throws Exception {
    Ended applied = orrery("apply", "-f", document("one", "").toString());
    assertThat(applied.code()).as(applied.err()).isZero();
    JsonNode replica = ready("greeter").get("replicas").get(0);
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);
    assertThat(answer("greeter").body()).isEqualTo("one from service/greeter/1-0");
    String container = containers();
    URI own = URI.create("http://" + replica.get("endpoint").textValue() + "/");

    server.kill();
    assertThat(ask(own).body()).isEqualTo("one from service/greeter/1-0");
    Files.deleteIfExists(home().resolve("server.json"));
    begin();
    JsonNode found = ready("greeter").get("replicas").get(0);
    assertThat(found.get("endpoint")).isEqualTo(replica.get("endpoint"));
    assertThat(found.get("restarts").intValue()).isZero();
    assertThat(containers()).isEqualTo(container);
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);
    assertThat(orrery("describe", "service", "greeter").out()).contains("box", "READY");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aContainerIsReplacedWithoutALostRequestAndDeletedWithItsService() throws Exception {
    assertThat(orrery("apply", "-f", document("one", "").toString()).err()).isEmpty();
    ready("greeter");
    await().atMost(PATIENCE).until(() -> answer("greeter").statusCode() == 200);

    try (Load load = new Load("greeter")) {
      assertThat(orrery("apply", "-f", document("two", "").toString()).out()).contains("changed");
      await().atMost(PATIENCE).until(() -> answer("greeter").body().startsWith("two"));
      ready("greeter");
      int before = load.answers.get();
      await().atMost(PATIENCE).until(() -> load.answers.get() > before + 50);
      assertThat(load.failures).isEmpty();
    }
    assertThat(containers().lines()).hasSize(1);
    assertThat(orrery("service", "logs", "greeter").out()).contains("GET / HTTP/1.1");

    server.send("DELETE", path("greeter"), BodyPublishers.noBody());
    await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
    assertThat(containers()).isBlank();
  }

  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void aShellInAReplicaRunsWhatComesFromStdinAndTellsItsExitCode() throws Exception {
    assertThat(orrery("apply", "-f", document("one", "").toString()).err()).isEmpty();
    ready("greeter");

    Ended ended =
        orrery(
            new String[] {"service", "shell", "greeter"},
            "echo $GREETING in $ORRERY_REPLICA\nexit 5\n");

    assertThat(ended.out()).as(ended.err()).contains("one in service/greeter/1-0");
    assertThat(ended.code()).isEqualTo(5);
    assertThat(orrery(new String[] {"service", "shell", "greeter"}, "echo the end; cat").code())
        .isZero();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aContainerIsReachedByAddressAndPort() throws Exception {
    assertThat(orrery("apply", "-f", document("one", "expose: true").toString()).err()).isEmpty();
    JsonNode addresses = ready("greeter").get("addresses");
    String address = addresses.get(addresses.size() - 1).textValue();
    assertThat(address).startsWith("tcp://127.0.0.1:");
    URI url = URI.create(address.replace("tcp:", "http:"));

    await().atMost(PATIENCE).ignoreExceptions().until(() -> ask(url).statusCode() == 200);

    assertThat(ask(url).body()).isEqualTo("one from service/greeter/1-0");
  }

  /** The images have their names and not their content: there is no network in tests. */
  @Test
  void theExamplesWithImagesAreAcceptedByAClusterThatRunsContainers() throws Exception {
    Path examples = EXAMPLES.resolve("images");
    List<Path> files;
    try (Stream<Path> all = Files.list(examples)) {
      files = all.sorted().toList();
    }
    for (Path file : files) {
      String image =
          Files.readAllLines(file).stream()
              .filter(line -> line.startsWith("image: "))
              .findFirst()
              .orElseThrow()
              .substring("image: ".length());
      podman.podman("tag", PodmanEngine.IMAGE, image);
    }

    Ended tried = orrery("apply", "-f", examples.toString(), "--dry-run");

    assertThat(tried.code()).as(tried.err()).isZero();
    assertThat(tried.out().lines().filter(line -> line.contains("Service/")))
        .hasSameSizeAs(files)
        .hasSize(5);
    assertThat(server.get("/services").get("items")).isEmpty();
  }

  @Test
  void aDocumentThatItsClusterCannotRunIsRefusedWithTheClustersThatCan() throws Exception {
    Path file =
        Files.writeString(
            temp.resolve("wrong.yml"),
            """
            kind: Service
            name: bare
            cluster: box
            command: sleep 100
            ---
            kind: Service
            name: image
            command: sleep 100
            image: busybox
            ---
            kind: Service
            name: nowhere
            command: sleep 100
            cluster: moon
            ---
            kind: Service
            name: claimed
            cluster: box
            image: %s
            volume_mount: "claim(pvc):/data"
            ---
            kind: Service
            name: unpullable
            cluster: box
            image: 127.0.0.1:9/team/app:1
            """
                .formatted(PodmanEngine.IMAGE));

    Ended ended = orrery("apply", "-f", file.toString());

    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err())
        .contains("/image: cluster box runs images: name an image")
        .contains("there is here")
        .contains("wrong.yml:9: /image: cluster here runs processes and no images")
        .contains("there is box")
        .contains(
            "/cluster: there is no cluster 'moon' in this server's configuration; there is box, here")
        .contains("claim(pvc):/data cannot be mounted")
        .contains("image 127.0.0.1:9/team/app:1 is not there and cannot be pulled");
    assertThat(server.get("/services").get("items")).isEmpty();
  }

  @Test
  void aMountOfTheProjectThatContainersDoNotHaveIsSaidToBeTheProjects() throws Exception {
    String settings = "{\"settings\": {\"cluster\": \"box\", \"volume_mount\": \"%s\"}}";
    server.send(
        "PUT",
        "/projects/vision",
        BodyPublishers.ofString(settings.formatted("data(pvc):/data;own(pvc):/mnt")));
    Path file = document("one", "project: vision");

    String refused = orrery("apply", "-f", file.toString()).err();

    assertThat(refused)
        .contains(
            "data(pvc):/data cannot be mounted",
            "It comes from volume_mount in the settings of the project vision",
            "as in /data(hostpath):/data")
        .doesNotContain("own(pvc)");
    String own = Files.readString(document("one", "")).replace(podman.mounts(), "x(pvc):/x");
    Files.writeString(file, own);
    assertThat(orrery("apply", "-f", file.toString()).err())
        .contains("x(pvc):/x cannot be mounted")
        .doesNotContain("It comes from volume_mount");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServiceStaysOnTheClusterOfItsProjectUntilItIsCleared() throws Exception {
    assertThat(
            server
                .send(
                    "PUT",
                    "/projects/vision",
                    BodyPublishers.ofString("{\"settings\": {\"cluster\": \"box\"}}"))
                .statusCode())
        .isBetween(200, 201);
    Path file = document("one", "project: vision");
    Files.writeString(file, Files.readString(file).replace("cluster: box\n", ""));
    assertThat(orrery("apply", "-f", file.toString()).err()).isEmpty();
    ready("greeter");
    assertThat(containers().lines()).hasSize(1);

    Files.writeString(
        file,
        """
        kind: Service
        name: greeter
        project: vision
        cluster: here
        command: sleep 100
        """);
    Ended moved = orrery("apply", "-f", file.toString());
    assertThat(moved.code()).isNotZero();
    assertThat(moved.err()).contains("service/greeter runs on box: clear it there");

    // A server without the cluster says so, and the next one that has it finds the container.
    String container = containers();
    Path configuration = home().resolve("orrery.yml");
    String clusters = Files.readString(configuration);
    server.close();
    Files.delete(configuration);
    begin();
    assertThat(state("greeter").get("reason").textValue())
        .contains("there is no cluster 'box' in this server's configuration; there is here");
    server.close();
    Files.writeString(configuration, clusters);
    begin();
    ready("greeter");
    assertThat(containers()).isEqualTo(container);
  }
}
