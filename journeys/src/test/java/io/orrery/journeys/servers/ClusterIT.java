package io.orrery.journeys.servers;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.allAt;
import static io.orrery.journeys.ServersTogether.await;
import static io.orrery.journeys.ServersTogether.awaitMore;
import static io.orrery.journeys.ServersTogether.owners;
import static io.orrery.journeys.ServersTogether.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests three servers that share their work, and the faults that each of them may suffer. */
class ClusterIT {
  @TempDir Path temp;

  /** A sender that reports the same point again and again, and remembers what it was told. */
  private static final class Reports implements AutoCloseable {
    private final ServerProcess server;
    private final String line;
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger delayed = new AtomicInteger();
    private final Thread sender = Thread.ofVirtual().unstarted(this::send);

    Reports(ServerProcess server, String trial) {
      this.server = server;
      this.line =
          "{\"trial\": \"%s\", \"kind\": \"intermediate\", \"sequence\": 900000, \"value\": 1}"
              .formatted(trial);
      sender.start();
    }

    private void send() {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          HttpResponse<String> told =
              server.send("POST", "/metrics", BodyPublishers.ofString(line));
          if (told.statusCode() == 200) {
            taken.incrementAndGet();
          } else if (told.statusCode() == 503
              && told.headers().firstValue("Retry-After").isPresent()) {
            delayed.incrementAndGet();
          } else {
            faults.add(told.statusCode() + " " + told.body());
          }
        } catch (IOException broken) {
          faults.add(broken.toString());
        } catch (InterruptedException over) {
          return;
        }
      }
    }

    @Override
    public void close() {
      sender.interrupt();
      try {
        sender.join();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** E12: the server that had the metric log is killed, and another takes the log over. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(600)
  void aSenderIsToldToComeAgainWhileTheMetricLogHasNoServer() throws Exception {
    ServersTogether servers = new ServersTogether(temp, PostgresServer.newDatabase(), 2, 3);
    try (ServerProcess killed = servers.begin("killed", 0, "")) {
      killed.ready(PATIENCE);
      try (ServerProcess other = servers.begin("other", 1, "")) {
        other.ready(PATIENCE);
        String id = create(other);
        awaitMore(other, List.of(id), 1);
        String trial = id + "/" + other.trials(id).getFirst().get("id").textValue();
        try (Reports reports = new Reports(other, trial)) {
          await("a report is taken", () -> reports.taken.get() > 0);
          killed.kill();
          await("a report is delayed", () -> reports.delayed.get() > 0);
          int before = reports.taken.get();
          await("reports are taken again", () -> reports.taken.get() > before);
          assertThat(reports.faults).isEmpty();
        }
      }
    }
  }

  private String create(ServerProcess server) throws Exception {
    return server
        .post("/experiments", NumberedTrials.config(temp, 2, 100_000))
        .get("id")
        .textValue();
  }

  private static boolean patched(
      ServerProcess server, String experiment, AtomicReference<String> answer) throws Exception {
    HttpResponse<String> got =
        server.send(
            "PATCH",
            "/experiments/" + experiment,
            BodyPublishers.ofString("{\"trialConcurrency\": 3}"));
    answer.set(got.statusCode() + " " + got.body());
    return got.statusCode() == 200;
  }

  @Test
  @Timeout(600)
  void whatOneServerLeavesAnotherTakesUpAndNoTrialRunsTwice() throws Exception {
    String database = PostgresServer.newDatabase();
    int databasePort = Integer.parseInt(database.replaceAll(".*:([0-9]+)/.*", "$1"));
    ServersTogether together = new ServersTogether(temp, database, 3, 3);
    try (CutWire wire = CutWire.to(databasePort);
        ServerProcess killed = together.begin("killed", 0, "");
        ServerProcess stopped = together.begin("stopped", 1, "");
        ServerProcess cut =
            together.beginAt(
                "cut", 2, database.replace(":" + databasePort + "/", ":" + wire.port() + "/"))) {
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

      // The one that stood still finds that it owns nothing, and serves its clients.
      signal(stopped, "CONT");
      await("it is a member again", () -> cut.get("/cluster").get("members").size() == 2);
      assertThat(allAt(stopped, cut, all)).isTrue();
      awaitMore(stopped, all, 3);
      String paused = all.getFirst();
      AtomicReference<String> answer = new AtomicReference<>("none");
      try {
        await("a request that goes to the owner", () -> patched(stopped, paused, answer));
      } catch (AssertionError late) {
        throw new AssertionError(answer + "\n" + stopped.log(), late);
      }
      assertThat(cut.get("/experiments/" + paused).get("trialConcurrency").intValue()).isEqualTo(3);

      // One loses the database, and with it everything that it owns, though it runs on.
      wire.cut();
      since = System.nanoTime();
      await("the other has all", () -> allAt(stopped, stopped, all));
      awaitMore(stopped, all, 1);
      System.out.printf(
          "one cut off: every experiment went on after %d ms%n",
          Duration.ofNanos(System.nanoTime() - since).toMillis());
      wire.repair();
      await("it is a member again", () -> stopped.get("/cluster").get("members").size() == 2);
      awaitMore(stopped, all, 3);

      for (String id : all) {
        long so = stopped.trials(id).size();
        stopped.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + 4) + "}");
        JsonNode done = stopped.awaitStatus(id, PATIENCE, "DONE", "FAILED", "ERROR");
        assertThat(done.get("status").textValue()).as(stopped.log()).isEqualTo("DONE");
        NumberedTrials.check(together.shared(), id, stopped.trials(id), so);
      }
      assertThat(Leftovers.of(together.shared())).isEmpty();
    }
  }
}
