package io.orrery.journeys.servers;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static io.orrery.journeys.ServersTogether.awaitMore;
import static io.orrery.journeys.ServersTogether.owners;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Servers that do not hear each other any more, while all of them reach the database. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class BusCutIT {
  /** Nothing is to be taken over here, however busy the machine is. */
  private static final int PATIENT_LEASE = 15;

  private static final int SERVERS = Integer.getInteger("orrery.cut.servers", 2);
  private static final int TOO_BUSY = 429;

  @TempDir Path temp;

  /** The ports of some servers, and the wires by which the others reach them. */
  private static final class Wires implements AutoCloseable {
    private final List<Integer> ports;
    private final List<CutWire> wires = new ArrayList<>();

    /** Two for each server: where it is found, and where messages go. */
    Wires(int servers) throws IOException {
      ports = Stream.generate(FreePort::take).limit(2L * servers).toList();
      for (int port : ports) {
        wires.add(CutWire.to(port));
      }
    }

    private List<Integer> members() {
      List<Integer> members = new ArrayList<>();
      for (int i = 0; i < wires.size(); i += 2) {
        members.add(wires.get(i).port());
      }
      return members;
    }

    ServerProcess begin(ServersTogether together, int server) throws IOException {
      String own =
          "  busPort: %d\n  advertisePort: %d\n  advertiseBusPort: %d\n"
              .formatted(
                  ports.get(2 * server + 1),
                  wires.get(2 * server).port(),
                  wires.get(2 * server + 1).port());
      return together.beginBehind(members(), "server-" + server, ports.get(2 * server), own);
    }

    void cut() {
      wires.forEach(CutWire::cut);
    }

    void silence() {
      wires.forEach(CutWire::silence);
    }

    void repair() {
      wires.forEach(CutWire::repair);
    }

    @Override
    public void close() throws IOException {
      for (CutWire wire : wires) {
        wire.close();
      }
    }
  }

  private String create(ServerProcess server) throws Exception {
    return server
        .post("/experiments", NumberedTrials.config(temp, 2, 100_000))
        .get("id")
        .textValue();
  }

  /** Asks for a change that the owner makes; the status of the answer. */
  private static int change(ServerProcess asked, String id, int concurrency) throws Exception {
    return asked
        .send(
            "PATCH",
            "/experiments/" + id,
            BodyPublishers.ofString("{\"trialConcurrency\": " + concurrency + "}"))
        .statusCode();
  }

  /** The server that writes the metric log, of which there is one. */
  private static String recorder(ServerProcess asked) throws Exception {
    return asked
        .get("/cluster")
        .get("leases")
        .valueStream()
        .filter(lease -> lease.get("name").textValue().equals("metrics"))
        .map(lease -> lease.get("url").textValue())
        .findFirst()
        .orElse("");
  }

  @Test
  @Timeout(600)
  void serversThatAreCutOffFromEachOtherDoNoHarmAndFindEachOtherAgain() throws Exception {
    ServersTogether together =
        new ServersTogether(temp, PostgresServer.newDatabase(), 0, PATIENT_LEASE);
    List<ServerProcess> all = new ArrayList<>();
    try (Wires wires = new Wires(SERVERS)) {
      for (int i = 0; i < SERVERS; i++) {
        all.add(wires.begin(together, i));
      }
      List<String> ids = new ArrayList<>();
      for (ServerProcess server : all) {
        ids.add(create(server.ready(PATIENCE)));
      }
      ServerProcess one = all.getFirst();
      awaitMore(one, ids, 2);
      Map<String, String> before = owners(one);
      String writing = recorder(one);
      int first = all.stream().map(server -> server.url().toString()).toList().indexOf(writing);
      ServerProcess writer = all.get(first);
      ServerProcess left = all.get((first + 1) % SERVERS);
      String its = ids.get(first);
      String others = ids.get((first + 1) % SERVERS);
      await("they hear each other", () -> change(writer, others, 3) == 200);

      wires.cut();
      await("no server hears another", () -> change(writer, others, 3) >= TOO_BUSY);
      awaitMore(writer, List.of(its), 5);
      assertThat(owners(one)).as("the database says who owns what").isEqualTo(before);
      wires.repair();
      await("they hear each other again", () -> change(writer, others, 2) == 200);
      awaitMore(writer, ids, 3);

      // Worse: no server is told that nothing arrives. Who writes the metric log is killed
      // meanwhile.
      wires.silence();
      await("no server hears another", () -> change(writer, others, 3) >= TOO_BUSY);
      writer.kill();
      await(
          "others have what it had",
          () ->
              owners(left).size() == SERVERS
                  && !owners(left).containsValue(writing)
                  && !List.of("", writing).contains(recorder(left)));
      wires.repair();
      awaitMore(left, ids, 3);
      for (String id : ids) {
        finish(together, left, id);
      }
      assertThat(Leftovers.of(together.shared())).isEmpty();
    } finally {
      all.forEach(ServerProcess::close);
    }
  }

  private static void finish(ServersTogether together, ServerProcess asked, String id)
      throws Exception {
    await("the owner is reached", () -> change(asked, id, 2) == 200);
    long so = asked.trials(id).size();
    asked.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + 4) + "}");
    JsonNode done = asked.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
    assertThat(done.get("status").textValue()).as(asked.log()).isEqualTo("DONE");
    NumberedTrials.check(together.shared(), id, asked.trials(id), so);
  }
}
