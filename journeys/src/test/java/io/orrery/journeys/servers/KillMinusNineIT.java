package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.Leftovers;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server with SIGKILL at random moments, start-up included, while short trials come and
 * go. {@code -Dorrery.kill.rounds=100} does it a hundred times. And a few times the polite way,
 * which must be no worse.
 */
class KillMinusNineIT {
  private static final int ROUNDS = Integer.getInteger("orrery.kill.rounds", 6);
  private static final long SEED = Long.getLong("orrery.kill.seed", 20260101L);

  @Test
  @Timeout(1800)
  void everyTrialRunsOnceAndItsResultIsThereOnceHoweverOftenTheServerIsKilled(@TempDir Path temp)
      throws Exception {
    everyTrialRunsOnce(temp, ROUNDS, ServerProcess::kill);
  }

  @Test
  @Timeout(600)
  void theSameWhenItIsAskedToGoDown(@TempDir Path temp) throws Exception {
    everyTrialRunsOnce(temp, Math.min(ROUNDS, 4), ServerProcess::close);
  }

  private static void everyTrialRunsOnce(Path temp, int rounds, Consumer<ServerProcess> end)
      throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    String config = NumberedTrials.config(temp, 8, 100_000);
    SplittableRandom random = new SplittableRandom(SEED);
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id = server.post("/experiments", config).get("id").textValue();
      Thread.sleep(random.nextInt(1_000));
      end.accept(server);
    }
    for (int round = 1; round < rounds; round++) {
      ServerProcess server = ServerProcess.begin(home);
      if (random.nextInt(4) > 0) {
        server.ready();
      }
      Thread.sleep(random.nextInt(1_200));
      end.accept(server);
    }
    try (ServerProcess server = ServerProcess.start(home)) {
      long so = server.trials(id).size();
      server.patch("/experiments/" + id, "{\"maxTrialNumber\": " + (so + 16) + "}");
      JsonNode done = server.awaitStatus(id, Duration.ofSeconds(120), "DONE", "FAILED", "ERROR");
      assertThat(done.get("status").textValue()).as(server.log()).isEqualTo("DONE");
      NumberedTrials.check(home, id, server.trials(id), so);
    }
    assertThat(Leftovers.of(home)).isEmpty();
  }
}
