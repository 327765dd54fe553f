package io.orrery.journeys.servers;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static io.orrery.journeys.ServersTogether.awaitMore;
import static io.orrery.journeys.ServersTogether.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Restarts three servers one after the other, as an upgrade does, while an experiment, a run of a
 * pipeline and a service are at work, and clients ask the service through a router. After the first
 * restart the database has what the next release adds to it, so the others are servers of the
 * release before that start on a newer schema.
 *
 * <p>With {@code -Dorrery.distribution.before=DIR} the servers are those of an earlier build first,
 * and are replaced by those of this one: both are members of one cluster meanwhile.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class RollingUpgradeIT {
  private static final int STEPS = 120;
  private static final Optional<Path> BEFORE =
      Optional.ofNullable(System.getProperty("orrery.distribution.before")).map(Path::of);
  private static final Pattern ROUTER = Pattern.compile("router is ready at http://[^:]+:(\\d+),");

  private static final Path EXAMPLES =
      Path.of("..").toAbsolutePath().normalize().resolve("examples/services");

  /** A change of each module that the servers of this test do not know. */
  private static final String NEXT_RELEASE =
      "alter table trials add column of_the_next_release text;"
          + " alter table workloads add column of_the_next_release text;"
          + " insert into migrations (module, number, name) select module, max(number) + 1,"
          + " '9999-of-the-next-release.sql' from migrations group by module";

  @TempDir Path temp;

  /** Clients of the service, which ask through a router, each over a connection of its own. */
  private static final class Inferences implements AutoCloseable {
    private final int port;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Inferences(int port) {
      this.port = port;
      for (int i = 0; i < 2; i++) {
        threads.add(Thread.ofVirtual().start(this::ask));
      }
    }

    private void ask() {
      while (!over) {
        try {
          String answer = answer(port);
          if (!answer.startsWith("HTTP/1.1 200")) {
            failures.add(answer);
          }
          answers.incrementAndGet();
          Thread.sleep(5); // Two cores have servers to start meanwhile.
        } catch (IOException e) {
          failures.add(e.toString());
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    static String answer(int port) throws IOException {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(30_000);
        socket
            .getOutputStream()
            .write(
                "GET / HTTP/1.1\r\nHost: greeter.service.orrery.localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      }
    }

    @Override
    public void close() {
      over = true;
      try {
        for (Thread thread : threads) {
          thread.join();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String pipeline(Path counter) {
    return """
    kind: Pipeline
    name: parts
    parallelism: 2
    tasks:
      - name: part
        command: |
          echo {{each.n}} >> '%s'; sleep 0.5; echo part {{each.n}} > "$ORRERY_OUTPUTS/part"
        each: {n: %s}
        outputs: {part: {path: part}}
    """
        .formatted(counter, IntStream.range(0, STEPS).boxed().toList());
  }

  private static JsonNode put(ServerProcess server, String path, String document) throws Exception {
    HttpResponse<String> answer = server.send("PUT", path, BodyPublishers.ofString(document));
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    return Json.parse(answer.body());
  }

  @Test
  @Timeout(1_200)
  void nothingIsLostAndNothingRunsTwiceWhileServersAreReplaced() throws Exception {
    String database = PostgresServer.newDatabase();
    ServersTogether cluster = new ServersTogether(temp, database, 3, 3);
    List<String> names = List.of("one", "two", "three");
    List<Integer> ports = IntStream.range(0, 3).map(i -> FreePort.take()).boxed().toList();
    List<ServerProcess> servers = new ArrayList<>();
    Process router = null;
    cluster.startFrom(BEFORE.orElse(null));
    try {
      for (int i = 0; i < 3; i++) {
        servers.add(
            cluster.begin(
                names.get(i), i, "", "--port", ports.get(i).toString(), "--router-port", "0"));
        servers.get(i).ready(PATIENCE);
      }
      router = route(servers.get(1).url().toString());
      await("a router", () -> ROUTER.matcher(Files.readString(routerLog())).find());
      Matcher address = ROUTER.matcher(Files.readString(routerLog()));
      assertThat(address.find()).isTrue();
      int inferencePort = Integer.parseInt(address.group(1));

      put(
          servers.getFirst(),
          "/services/greeter",
          """
          {"name": "greeter", "ports": [8080], "health": "8080:/healthz", "grace": "5s",
           "env": {"GREETING": "one"}, "code": "%s", "command": "exec python3 hello.py"}
          """
              .formatted(EXAMPLES.resolve("hello")));
      await("the service", () -> Inferences.answer(inferencePort).startsWith("HTTP/1.1 200"));
      List<String> before = replicas(servers.getFirst());
      List<String> experiments = new ArrayList<>();
      for (ServerProcess each : servers) {
        experiments.add(
            each.post("/experiments", NumberedTrials.config(temp, 1, 100_000))
                .get("id")
                .textValue());
      }
      Path counter = temp.resolve("counter");
      put(servers.get(2), "/pipelines/parts", pipeline(counter));
      String run =
          servers.get(2).post("/pipelines/parts/run", "{\"parameters\": {}}").get("id").textValue();

      cluster.startFrom(null);
      try (Inferences load = new Inferences(inferencePort)) {
        for (int i = 0; i < 3; i++) {
          awaitMore(servers.get(i), experiments, 1);
          signal(servers.get(i), "TERM");
          servers.get(i).ended(PATIENCE);
          awaitMore(servers.get((i + 1) % 3), experiments, 1);
          servers.set(
              i,
              cluster.begin(
                  names.get(i), i, "", "--port", ports.get(i).toString(), "--router-port", "0"));
          servers.get(i).ready(PATIENCE);
          if (BEFORE.isPresent()) {
            awaitMore(servers.get((i + 2) % 3), experiments, 1);
          } else if (i == 0) {
            PostgresServer.tell(database, NEXT_RELEASE);
          } else {
            assertThat(servers.get(i).log()).contains("a newer Orrery has added to it");
          }
          ServerProcess newest = servers.get(i);
          await("a member again", () -> newest.get("/cluster").get("members").size() == 3);
        }
        int answers = load.answers.get();
        await("answers after it all", () -> load.answers.get() > answers + 50);
        assertThat(load.failures).as("of %d", load.answers.get()).isEmpty();
        System.out.printf("0 of %d inferences failed%n", load.answers.get());
      }

      ServerProcess asked = servers.getFirst();
      assertThat(replicas(asked)).as("the replicas run on").isEqualTo(before);
      for (String id : experiments) {
        long so = asked.trials(id).size();
        await(
            "a limit for " + id,
            () ->
                asked
                        .send(
                            "PATCH",
                            "/experiments/" + id,
                            BodyPublishers.ofString("{\"maxTrialNumber\": " + (so + 2) + "}"))
                        .statusCode()
                    == 200);
        JsonNode done = asked.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
        assertThat(done.get("status").textValue()).as(asked.log()).isEqualTo("DONE");
        NumberedTrials.check(cluster.shared(), id, asked.trials(id), so);
      }
      await("the end of the run", () -> !asked.get("/runs/" + run).path("endedAt").isNull());
      JsonNode ended = asked.get("/runs/" + run);
      assertThat(ended.path("status").asText()).as(ended.toPrettyString()).isEqualTo("SUCCEEDED");
      assertThat(Files.readAllLines(counter)).hasSize(STEPS).doesNotHaveDuplicates();
      assertThat(ended.path("steps"))
          .allSatisfy(step -> assertThat(step.path("attempt").asInt()).isEqualTo(1));
      await(
          "no service",
          () ->
              asked.send("DELETE", "/services/greeter", BodyPublishers.noBody()).statusCode()
                  < 300);
      await("no workload", () -> asked.get("/workloads").get("items").isEmpty());
      assertThat(Leftovers.of(cluster.shared())).isEmpty();
    } finally {
      if (router != null) {
        router.destroyForcibly().onExit().join();
      }
      servers.forEach(ServerProcess::close);
    }
  }

  /** The processes of the service. */
  private static List<String> replicas(ServerProcess server) throws Exception {
    List<String> found = new ArrayList<>();
    server
        .get("/services/greeter")
        .at("/state/replicas")
        .forEach(replica ->
            found.add(
                replica.path("name").asText() + " since " + replica.path("startedAt").asText()));
    assertThat(found).isNotEmpty();
    return found;
  }

  private Path routerLog() {
    return temp.resolve("router.log");
  }

  private Process route(String url) throws IOException {
    Path file = temp.resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0}\nadmin: {port: 0}\n");
    Files.writeString(routerLog(), "");
    return new ProcessBuilder(
            ServerProcess.command("route", "--config", file.toString(), "--follow", url))
        .redirectErrorStream(true)
        .redirectOutput(routerLog().toFile())
        .start();
  }
}
