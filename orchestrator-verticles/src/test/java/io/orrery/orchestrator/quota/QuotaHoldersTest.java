package io.orrery.orchestrator.quota;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.VirtualClock;
import io.orrery.orchestrator.quota.FairShares.Claim;
import io.orrery.orchestrator.quota.QuotaVerticle.Ask;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Chooses, again and again, who is to end trials for a claim of a higher priority. */
class QuotaHoldersTest {
  private static final Amounts TRIAL = Amounts.of(QuotaResource.TRIALS, 1);
  private static final ProjectName VISION = new ProjectName("vision");
  private static final ProjectName SPEECH = new ProjectName("speech");

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();

  private static Ask ask(String name, int priority, int units) {
    QuotaObject object = new QuotaObject("experiment", name);
    return new Ask(
        name, new Hold(object, VISION, "ann", 1, TRIAL, units), units, units, priority, true, true);
  }

  @Test
  void whoCouldNotEndAnythingIsPassedOverForAWhile() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Bus bus = Bus.of(vertx);
      for (String name : List.of("last", "again")) {
        success(
            bus.serve(
                QuotaVerticle.GIVE_WAY.of(name),
                word -> {
                  if (word.end() > 0) {
                    told.add(name);
                  }
                  return Future.succeededFuture(new QuotaVerticle.Noted());
                }));
      }
      QuotaHolders holders = new QuotaHolders(bus, clock, true);
      holders.note(ask("last", 10, 2), 2, false);
      holders.note(ask("again", 20, 2), 2, false);
      FairShares fair =
          new FairShares(
              Map.of(QuotaResource.TRIALS, 4L),
              Map.of(VISION, Amounts.of(QuotaResource.TRIALS, 4)));
      List<Claim> claims =
          List.of(
              new Claim(
                  new QuotaObject("experiment", "new"),
                  SPEECH,
                  90,
                  TRIAL,
                  1,
                  QuotaScope.SERVER,
                  Instant.EPOCH));

      holders.tell(fair, claims, claims);
      await().untilAsserted(() -> assertThat(told).containsExactly("last"));
      clock.advance(Duration.ofSeconds(29));
      holders.tell(fair, claims, claims);
      clock.advance(Duration.ofSeconds(2));
      holders.tell(fair, claims, claims);
      await().untilAsserted(() -> assertThat(told).containsExactly("last", "again"));
      clock.advance(Duration.ofMinutes(3));
      holders.tell(fair, claims, claims);
      await().untilAsserted(() -> assertThat(told).containsExactly("last", "again", "last"));
    } finally {
      success(vertx.close());
    }
  }
}
