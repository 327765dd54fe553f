package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Loses no request while replicas are killed, deployed anew, and their server is killed: a few
 * times, or {@code -Dorrery.load.kills=60 -Dorrery.load.redeploys=50 -Dorrery.load.servers=50
 * -Dorrery.load.rate=10000} times and requests a second, as far as this machine gives them.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ServiceLoadIT extends ServiceJourney {
  private static final int KILLS = Integer.getInteger("orrery.load.kills", 4);
  private static final int REDEPLOYS = Integer.getInteger("orrery.load.redeploys", 2);
  private static final int SERVERS = Integer.getInteger("orrery.load.servers", 2);
  private static final int RATE = Integer.getInteger("orrery.load.rate", 200);
  private static final int REPLICAS = 3;

  /** The replicas that are ready before one is killed: the others answer meanwhile. */
  private static final int SERVING = Integer.getInteger("orrery.load.serving", 2);

  /** The kills of replicas after which a new generation begins with short pauses again. */
  private static final int IN_A_ROW = 6;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+),");

  /** A program that writes each answer at once, and tells its process. */
  private static final String PROGRAM =
      """
      import asyncio, os

      BODY = str(os.getpid()).encode()
      ANSWER = b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(BODY), BODY)

      class Pid(asyncio.Protocol):
          def connection_made(self, transport):
              self.transport, self.got = transport, b""

          def data_received(self, data):
              self.got += data
              count = self.got.count(b"\\r\\n\\r\\n")
              if count:
                  self.got = self.got[self.got.rindex(b"\\r\\n\\r\\n") + 4:]
                  self.transport.write(ANSWER * count)

      async def main():
          loop = asyncio.get_running_loop()
          server = await loop.create_server(Pid, "127.0.0.1", int(os.environ["PORT"]), backlog=1024)
          await server.serve_forever()

      asyncio.run(main())
      """;

  private int port;
  private Process router;

  @Override
  protected void configure() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
  }

  @Override
  protected void begin() throws Exception {
    server =
        ServerProcess.begin(
                home(), List.of("--port", String.valueOf(port), "--router-port", "0"), Map.of())
            .ready();
  }

  @AfterEach
  void stopRouter() {
    if (router != null) {
      router.destroyForcibly().onExit().join();
    }
  }

  /** The address of the service at a router alone, which follows the server. */
  private URI followed() throws Exception {
    Path file = temp.resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0}\nadmin: {port: 0}\nservices: [{name: own}]\n");
    Path log = temp.resolve("router.log");
    router =
        new ProcessBuilder(
                ServerProcess.command(
                    "route", "--config", file.toString(), "--follow", "http://127.0.0.1:" + port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await().atMost(PATIENCE).until(() -> READY.matcher(Files.readString(log)).find());
    Matcher ready = READY.matcher(Files.readString(log));
    assertThat(ready.find()).isTrue();
    URI url = URI.create("http://pids.service.orrery.localhost:" + ready.group(1) + "/");
    await().atMost(PATIENCE).ignoreExceptions().until(() -> ask(url).statusCode() == 200);
    return url;
  }

  private void deploy() throws Exception {
    ObjectNode document = python("pids", PROGRAM);
    document.put("replicas", REPLICAS).put("health", "8080:/");
    put(document.toString());
    ready("pids", REPLICAS);
    await().atMost(PATIENCE).until(() -> answer("pids").statusCode() == 200);
  }

  private List<JsonNode> serving() throws Exception {
    List<JsonNode> serving = new ArrayList<>();
    for (JsonNode replica : state("pids").get("replicas")) {
      if (replica.get("phase").textValue().equals("READY")) {
        serving.add(replica);
      }
    }
    return serving;
  }

  private long pid(JsonNode replica) throws Exception {
    URI own = URI.create("http://" + replica.get("endpoint").textValue() + "/");
    return Long.parseLong(ask(own).body());
  }

  /** The processes of the replicas, by their addresses. */
  private Map<String, Long> processes() throws Exception {
    Map<String, Long> processes = new TreeMap<>();
    for (JsonNode replica : ready("pids", REPLICAS).get("replicas")) {
      processes.put(replica.get("endpoint").textValue(), pid(replica));
    }
    return processes;
  }

  private static void report(PacedRequests load, String what, int times) {
    load.close();
    System.out.printf(
        "%d times %s: %d requests answered at %.0f/s of %d/s, %d failed %s%n",
        times,
        what,
        load.answers(),
        load.rate(),
        RATE,
        load.failures().size(),
        load.failures().stream().distinct().limit(5).toList());
    assertThat(load.failures()).isEmpty();
    assertThat(load.answers()).isGreaterThan(100);
  }

  @Test
  void aReplicaThatIsKilledEachSecondLosesNoRequest() throws Exception {
    deploy();
    try (PacedRequests load = load(URI.create(state("pids").get("url").textValue()))) {
      for (int i = 1; i <= KILLS; i++) {
        long due = System.nanoTime() + SECOND.toNanos();
        await().atMost(PATIENCE).until(() -> serving().size() >= SERVING);
        List<JsonNode> ready = serving();
        long killed = pid(ready.get(i % ready.size()));
        new ProcessBuilder("kill", "-9", String.valueOf(killed)).start();
        await().atMost(PATIENCE).until(() -> System.nanoTime() > due);
        if (i % IN_A_ROW == 0) {
          server.post(path("pids") + "/restart", "{}");
          ready("pids", REPLICAS);
        }
      }
      report(load, "a replica killed", KILLS);
    }
  }

  @Test
  void deploymentsUnderLoadLoseNoRequest() throws Exception {
    deploy();
    try (PacedRequests load = load(URI.create(state("pids").get("url").textValue()))) {
      for (int i = 1; i <= REDEPLOYS; i++) {
        Map<String, Long> before = processes();
        server.post(path("pids") + "/restart", "{}");
        await()
            .atMost(PATIENCE)
            .until(() -> processes().values().stream().noneMatch(before::containsValue));
      }
      report(load, "deployed anew", REDEPLOYS);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServerThatIsKilledUnderLoadLosesNoRequestAndNoProcessAndNoPort() throws Exception {
    deploy();
    Map<String, Long> processes = processes();
    try (PacedRequests load = load(followed())) {
      for (int i = 1; i <= SERVERS; i++) {
        server.kill();
        Files.deleteIfExists(home().resolve("server.json"));
        begin();
        assertThat(processes()).isEqualTo(processes);
      }
      report(load, "the server killed", SERVERS);
    }
    assertThat(serving())
        .allSatisfy(replica -> assertThat(replica.get("restarts").intValue()).isZero());
  }

  private PacedRequests load(URI url) {
    return new PacedRequests(RATE, url);
  }
}
