package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Experiments and trials in a PostgreSQL database, with everything that can go away going away. */
class PostgresIT {
  @TempDir Path temp;

  private Path home(String name, String url) throws IOException {
    Path home = Files.createDirectories(temp.resolve(name)).toRealPath();
    Files.writeString(home.resolve("orrery.yml"), "store: {url: '" + url + "'}\n");
    return home;
  }

  @Test
  @Timeout(300)
  void everyTrialRunsOnceThoughServerAndDatabaseGoAway() throws Exception {
    try (PostgresServer database = PostgresServer.start(temp.resolve("pg"))) {
      Path home = home("home", database.database());
      String id;
      try (ServerProcess server = ServerProcess.start(home)) {
        id =
            server
                .post("/experiments", NumberedTrials.config(temp, 4, 100_000))
                .get("id")
                .textValue();
        awaitTrials(server, id, 10);
        server.kill();
      }
      try (ServerProcess server = ServerProcess.start(home)) {
        long before = server.trials(id).size();
        database.stop();
        database.startAgain();
        awaitTrials(server, id, before + 20);
        assertThat(server.log()).contains("is lost").contains("is back");
        server.kill();
      }
      try (ServerProcess server = ServerProcess.start(home)) {
        long so = server.trials(id).size();
        server.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + 16) + "}");
        JsonNode done = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
        assertThat(done.get("status").textValue()).as(server.log()).isEqualTo("DONE");
        NumberedTrials.check(home, id, server.trials(id), so);
        assertThat(server.log()).doesNotContain(":" + PostgresServer.PASSWORD + "@");
      }
      assertThat(home.resolve("orrery.db")).doesNotExist();
      assertThat(Leftovers.of(home)).isEmpty();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(120)
  void twoServersNeverHaveOneDatabase() throws Exception {
    String url = PostgresServer.newDatabase();
    try (ServerProcess first = ServerProcess.start(home("first", url))) {
      Ended second = up(home("second", url));

      assertThat(second.code()).isEqualTo(1);
      assertThat(second.said())
          .contains("another Orrery server uses the database")
          .contains(first.home().toString())
          .doesNotContain(":" + PostgresServer.PASSWORD + "@");
      assertThat(first.get("/experiments").get("items")).isEmpty();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  @Timeout(120)
  void aServerWhoseDatabaseIsTakenOverEndsAndSaysWhy() throws Exception {
    String url = PostgresServer.newDatabase();
    ServerProcess server = ServerProcess.start(home("home", url));
    PostgresServer.tell(url, "update store_owner set epoch = epoch + 1, description = 'another'");
    PostgresServer.tell(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where application_name like 'orrery %' and datname = current_database()");

    assertThat(server.ended(Duration.ofSeconds(30))).isEqualTo(1);
    assertThat(server.log()).contains("taken over").contains("another");
  }

  @Test
  @Timeout(60)
  void aDatabaseThatIsNotThereIsSaidAtOnceWithWhatToDo() throws Exception {
    Ended ended = up(home("home", "postgresql://me:secret@127.0.0.1:1/trials"));

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.said())
        .contains("cannot use the database postgresql://me@127.0.0.1:1/trials")
        .contains("start it, or correct store.url")
        .doesNotContain("secret");
  }

  private record Ended(int code, String said) {}

  /** A server that is expected not to come up. */
  private static Ended up(Path home) throws Exception {
    Process process =
        new ProcessBuilder(
                ServerProcess.command(
                    "up", "--home", home.toString(), "--port", "0", "--router-port", "off"))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), said);
  }

  private static void awaitTrials(ServerProcess server, String id, long wanted) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (server.trials(id).stream().filter(PostgresIT::succeeded).count() < wanted) {
      assertThat(System.nanoTime()).as(server.log()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  private static boolean succeeded(JsonNode trial) {
    return trial.get("status").textValue().equals("SUCCEEDED");
  }
}
