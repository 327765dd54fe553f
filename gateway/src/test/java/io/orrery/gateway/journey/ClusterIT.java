package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers that share their work, and what each of them may suffer. */
class ClusterIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @TempDir Path temp;

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return sockets.stream().map(ServerSocket::getLocalPort).toList();
  }

  private ServerProcess begin(String name, String database, Path shared, List<Integer> ports, int i)
      throws IOException {
    Path home = Files.createDirectories(temp.resolve(name)).toRealPath();
    String members =
        ports.stream().map(port -> "'127.0.0.1:" + port + "'").collect(Collectors.joining(", "));
    Files.writeString(
        home.resolve("orrery.yml"),
        """
        store: {url: '%s'}
        cluster: {members: [%s], port: %d, directory: '%s', lease: 3}
        """
            .formatted(database, members, ports.get(i), shared));
    return ServerProcess.begin(home);
  }

  /** Which server has each experiment, as one of them says; only those that have one. */
  private static Map<String, String> owners(ServerProcess asked) throws Exception {
    Map<String, String> owners = new TreeMap<>();
    for (JsonNode lease : asked.get("/cluster").get("leases")) {
      String name = lease.get("name").textValue();
      if (name.startsWith("experiment/")) {
        owners.put(name.substring("experiment/".length()), lease.get("url").textValue());
      }
    }
    return owners;
  }

  private static boolean allAt(ServerProcess asked, ServerProcess owner, List<String> experiments)
      throws Exception {
    Map<String, String> owners = owners(asked);
    return experiments.stream().allMatch(id -> owner.url().toString().equals(owners.get(id)));
  }

  private static long succeeded(ServerProcess asked, String id) throws Exception {
    return asked.get("/experiments/" + id).get("trialCounts").path("SUCCEEDED").asLong();
  }

  private static void awaitMore(ServerProcess asked, List<String> experiments, long more)
      throws Exception {
    for (String id : experiments) {
      long before = succeeded(asked, id);
      await("more trials of " + id, () -> succeeded(asked, id) >= before + more);
    }
  }

  private static void signal(ServerProcess server, String signal) throws Exception {
    assertThat(
            new ProcessBuilder("kill", "-" + signal, Long.toString(server.pid())).start().waitFor())
        .isZero();
  }

  private String create(ServerProcess server) throws Exception {
    return server
        .post("/experiments", NumberedTrials.config(temp, 2, 100_000))
        .get("id")
        .textValue();
  }

  @Test
  @Timeout(600)
  void whatOneServerLeavesAnotherTakesUpAndNoTrialRunsTwice() throws Exception {
    String database = PostgresServer.newDatabase();
    int databasePort = Integer.parseInt(database.replaceAll(".*:([0-9]+)/.*", "$1"));
    Path shared = Files.createDirectories(temp.resolve("shared")).toRealPath();
    List<Integer> ports = freePorts(3);
    try (CutWire wire = CutWire.to(databasePort);
        ServerProcess killed = begin("killed", database, shared, ports, 0);
        ServerProcess stopped = begin("stopped", database, shared, ports, 1);
        ServerProcess cut =
            begin(
                "cut",
                database.replace(":" + databasePort + "/", ":" + wire.port() + "/"),
                shared,
                ports,
                2)) {
      killed.ready(PATIENCE);
      stopped.ready(PATIENCE);
      cut.ready(PATIENCE);
      List<String> all = List.of(create(killed), create(stopped), create(cut));
      awaitMore(cut, all, 3);
      assertThat(owners(stopped).values())
          .as("each experiment belongs to the server that was asked for it")
          .containsExactlyInAnyOrder(
              killed.url().toString(), stopped.url().toString(), cut.url().toString());

      // One is killed, one stands still: the third goes on with everything.
      killed.kill();
      signal(stopped, "STOP");
      long since = System.nanoTime();
      await("one has all", () -> allAt(cut, cut, all));
      awaitMore(cut, all, 1);
      System.out.printf(
          "two of three gone: every experiment went on after %d ms%n",
          Duration.ofNanos(System.nanoTime() - since).toMillis());

      // The one that stood still finds that it owns nothing, and serves whoever asks it.
      signal(stopped, "CONT");
      await("it is a member again", () -> cut.get("/cluster").get("members").size() == 2);
      assertThat(allAt(stopped, cut, all)).isTrue();
      awaitMore(stopped, all, 3);
      String paused = all.getFirst();
      await(
          "a request that goes to the owner",
          () ->
              stopped
                      .send(
                          "PATCH",
                          "/experiments/" + paused,
                          BodyPublishers.ofString("{\"trialConcurrency\": 3}"))
                      .statusCode()
                  == 200);
      assertThat(cut.get("/experiments/" + paused).get("trialConcurrency").intValue()).isEqualTo(3);

      // One loses the database, and with it everything that it owns, though it runs on.
      wire.cut();
      since = System.nanoTime();
      await("the other has all", () -> allAt(stopped, stopped, all));
      awaitMore(stopped, all, 1);
      System.out.printf(
          "one cut off: every experiment went on after %d ms%n",
          Duration.ofNanos(System.nanoTime() - since).toMillis());
      wire.mend();
      await("it is a member again", () -> stopped.get("/cluster").get("members").size() == 2);
      awaitMore(stopped, all, 3);

      for (String id : all) {
        long so = stopped.trials(id).size();
        stopped.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + 4) + "}");
        JsonNode done = stopped.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
        assertThat(done.get("status").textValue()).as(stopped.log()).isEqualTo("DONE");
        NumberedTrials.check(shared, id, stopped.trials(id), so);
      }
      assertThat(Leftovers.of(shared)).isEmpty();
    }
  }
}
