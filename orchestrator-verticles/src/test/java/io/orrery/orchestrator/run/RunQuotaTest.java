package io.orrery.orchestrator.run;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.run.RunSpec;
import io.orrery.core.time.SystemClock;
import io.orrery.orchestrator.quota.PlayedLedger;
import io.orrery.orchestrator.quota.QuotaVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plays a ledger with room for one run of all projects, and the next owner of that run. */
class RunQuotaTest {
  private static final RunSpec RUN = RunSpecs.run(1, RunSpecs.Step.named("train"));
  private static final QuotaObject HELD = new QuotaObject("run", RUN.id().value(), "");

  private final PlayedLedger ledger = new PlayedLedger(1);
  private final ConcurrentLinkedQueue<String> reasons = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> started = new ConcurrentLinkedQueue<>();
  private Vertx vertx;
  private Bus bus;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    success(
        Future.all(
            bus.serve(
                Quotas.HOLD, hold -> Future.succeededFuture(ledger.hold(hold, QuotaScope.SERVER))),
            bus.serve(Quotas.RELEASE, release -> Future.succeededFuture(new Done())),
            bus.serve(
                Quotas.SHARES,
                asked ->
                    Future.succeededFuture(
                        new Quotas.Shares(Map.of(QuotaResource.RUNS, 1L), List.of())))));
    success(vertx.deployVerticle(new QuotaVerticle(bus, new SystemClock(vertx), "s1", false)));
  }

  @AfterEach
  void stop() throws Exception {
    success(vertx.close());
  }

  private RunQuota admitted(long epoch, boolean takesOver) throws Exception {
    RunQuota quota = new RunQuota(bus, new SystemClock(vertx), RUN, epoch);
    success(quota.open());
    if (takesOver) {
      quota.takeOver(Set.of());
    }
    quota.admit(0, RUN.steps().getFirst(), reasons::add, () -> started.add("e" + epoch));
    return quota;
  }

  private void anotherWaits() throws Exception {
    Hold other =
        new Hold(
            new QuotaObject("run", "other"),
            new ProjectName("speech"),
            "eve",
            1,
            Amounts.of(QuotaResource.RUNS, 1),
            1);
    assertThat(
            success(bus.request(QuotaVerticle.ASK, new QuotaVerticle.Ask("other", other))).units())
        .isZero();
  }

  @Test
  void theNextOwnerOfARunGoesOnThoughAnotherRunWaitsForItsPlace() throws Exception {
    ledger.left(HELD, 1); // As the owner before left it.
    anotherWaits();

    admitted(2, true);

    await().untilAsserted(() -> assertThat(started).containsExactly("e2"));
  }

  @Test
  void aRunThatIsNewComesAfterThoseThatWait() throws Exception {
    ledger.left(new QuotaObject("run", "busy"), 1);
    anotherWaits();

    admitted(1, false);

    await().untilAsserted(() -> assertThat(reasons).isNotEmpty());
    assertThat(started).isEmpty();
    assertThat(ledger.of(HELD)).isZero();
  }
}
