package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.UsageHistory;
import io.orrery.core.bus.contract.UsageHistory.AskHistory;
import io.orrery.core.bus.contract.UsageHistory.Used;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.UsageGroup;
import io.orrery.core.quota.UsageStep;
import io.orrery.core.sql.Statement;
import io.orrery.studio.usage.UsageRecorder;
import io.orrery.studio.usage.UsageTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Adds up what projects use over time, on every store alike. */
abstract class UsageContract extends StudioFixture {
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final Instant DAY = Instant.parse("2026-05-04T00:00:00Z");

  private SetClock clock;
  private String recorder;

  @BeforeEach
  void record() throws Exception {
    ask(Projects.PUT, new Projects.PutProject(ROOT, VISION, "Vision", "{}", "{}", true, null));
    clock = new SetClock(vertx, NOON);
    begin();
  }

  private void begin() throws Exception {
    recorder = success(vertx.deployVerticle(new UsageRecorder(store, clock, Duration.ofMillis(5))));
  }

  /** Sets the time, and waits until so much of a run was counted. */
  private void counted(Instant at, UsageStep step, long seconds) {
    clock.set(at);
    await().until(() -> seconds(step, QuotaResource.RUNS) == seconds);
  }

  /** Waits until something that is held was seen for the first time, at noon. */
  private void begun() {
    await().until(() -> !history(UsageStep.DAY, UsageGroup.KIND).isEmpty());
  }

  private void hold(QuotaObject object, String user, Amounts unit, int units) throws Exception {
    assertThat(ask(Quotas.HOLD, new Hold(object, VISION, user, 1, unit, units)).units())
        .isEqualTo(units);
  }

  private List<Used> history(UsageStep step, UsageGroup by) throws Exception {
    return ask(
            UsageHistory.HISTORY,
            new AskHistory(
                null, null, null, Instant.EPOCH, NOON.plus(Duration.ofDays(900)), step, by))
        .items();
  }

  private long seconds(UsageStep step, QuotaResource resource) throws Exception {
    return history(step, UsageGroup.PROJECT).stream()
        .mapToLong(used -> used.seconds().get(resource))
        .sum();
  }

  @Test
  void whatIsHeldIsAddedUpBySpanPersonKindAndObject() throws Exception {
    Amounts trial = new Amounts(Map.of(QuotaResource.GPU, 1L, QuotaResource.TRIALS, 1L));
    hold(new QuotaObject("experiment", "e1"), "ann", trial, 2);
    hold(
        new QuotaObject("service", "web", "production"),
        "bob",
        new Amounts(Map.of(QuotaResource.CPU, 500L, QuotaResource.MEMORY, 3L << 30)),
        1);
    begun();
    clock.set(NOON.plusSeconds(60));
    await().until(() -> seconds(UsageStep.DAY, QuotaResource.GPU) == 120);

    assertThat(history(UsageStep.FIVE_MINUTES, UsageGroup.USER))
        .containsExactly(
            new Used(NOON, null, "ann", null, null, trial.times(120)),
            new Used(
                NOON,
                null,
                "bob",
                null,
                null,
                new Amounts(
                    Map.of(QuotaResource.CPU, 30_000L, QuotaResource.MEMORY, 60L * 3 * 1024))));
    assertThat(history(UsageStep.DAY, UsageGroup.OBJECT))
        .extracting(Used::at, Used::project, Used::user, Used::kind, Used::name)
        .containsExactlyInAnyOrder(
            tuple(DAY, "vision", "ann", "experiment", "e1"),
            tuple(DAY, "vision", "bob", "service", "web"));

    // In the next hour: a server that was away for so long counts ten minutes.
    clock.set(NOON.plus(Duration.ofHours(2)));
    await().until(() -> seconds(UsageStep.HOUR, QuotaResource.GPU) == 120 + 2 * 600);
    assertThat(history(UsageStep.HOUR, UsageGroup.PROJECT))
        .extracting(Used::at)
        .containsExactly(NOON, NOON.plus(Duration.ofHours(2)));
    assertThat(seconds(UsageStep.DAY, QuotaResource.GPU)).isEqualTo(120 + 2 * 600);
  }

  @Test
  void timeWithoutUseCountsForNothingAndARestartLosesNone() throws Exception {
    hold(new QuotaObject("run", "r1"), "ann", Amounts.of(QuotaResource.RUNS, 1), 1);
    begun();
    success(vertx.undeploy(recorder));
    begin();
    counted(NOON.plusSeconds(10), UsageStep.DAY, 10);

    ask(Quotas.RELEASE, new Quotas.Release("run", "r1", 1, List.of()));
    clock.set(NOON.plusSeconds(300));
    // Two looks have begun since then, so one has seen that nothing is held.
    looks(2);
    hold(new QuotaObject("run", "r2"), "ann", Amounts.of(QuotaResource.RUNS, 1), 1);
    counted(NOON.plusSeconds(330), UsageStep.DAY, 10 + 30);
  }

  /** Completes when the recorder has asked for the time so often. */
  private void looks(int times) {
    long before = clock.asked();
    await().until(() -> clock.asked() >= before + times);
  }

  @Test
  void onlyWhatIsAskedForCountsAndAProjectIsForgottenWithItsUse() throws Exception {
    hold(new QuotaObject("run", "r1"), "ann", Amounts.of(QuotaResource.RUNS, 1), 1);
    begun();
    counted(NOON.plusSeconds(60), UsageStep.DAY, 60);
    AskHistory all =
        new AskHistory(
            List.of(VISION),
            "ann",
            "run",
            DAY,
            NOON.plusSeconds(61),
            UsageStep.DAY,
            UsageGroup.USER);
    assertThat(ask(UsageHistory.HISTORY, all).items()).hasSize(1);
    for (AskHistory none :
        List.of(
            new AskHistory(List.of(), null, null, DAY, NOON.plusSeconds(61), all.step(), all.by()),
            new AskHistory(
                List.of(new ProjectName("speech")),
                null,
                null,
                DAY,
                NOON.plusSeconds(61),
                all.step(),
                all.by()),
            new AskHistory(null, "bob", null, DAY, NOON.plusSeconds(61), all.step(), all.by()),
            new AskHistory(null, null, "service", DAY, NOON, all.step(), all.by()),
            new AskHistory(
                null, null, null, DAY.plusSeconds(1), NOON.plusSeconds(61), all.step(), all.by()),
            new AskHistory(null, null, null, Instant.EPOCH, DAY, all.step(), all.by()))) {
      assertThat(ask(UsageHistory.HISTORY, none).items()).as(none.toString()).isEmpty();
    }
    success(vertx.undeploy(recorder));
    success(store.write(List.of(UsageTable.forget(VISION))));
    assertThat(history(UsageStep.DAY, UsageGroup.PROJECT)).isEmpty();
  }

  @Test
  void whatIsOldIsDroppedAndTooMuchIsRefused() throws Exception {
    hold(new QuotaObject("run", "r1"), "ann", Amounts.of(QuotaResource.RUNS, 1), 1);
    begun();
    counted(NOON.plusSeconds(60), UsageStep.FIVE_MINUTES, 60);

    counted(NOON.plus(Duration.ofDays(3)), UsageStep.FIVE_MINUTES, 600);
    assertThat(seconds(UsageStep.HOUR, QuotaResource.RUNS)).isEqualTo(660);
    counted(NOON.plus(Duration.ofDays(93)), UsageStep.HOUR, 600);
    assertThat(history(UsageStep.DAY, UsageGroup.PROJECT)).hasSize(3);
    assertThat(history(UsageStep.DAY, UsageGroup.OBJECT)).hasSize(2);

    String tens = "(values (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11))";
    success(
        store.write(
            List.of(
                Statement.of(
                    "insert into usage_sums with n(n) as "
                        + tens
                        + " select '5m', 0, 'p', 'u' || a.n || '-' || b.n || '-' || c.n || '-' || d.n,"
                        + " 'run', '', 0, 0, 0, 0, 0, 0, 1, 0 from n a, n b, n c, n d"))));
    assertThat(refused(UsageHistory.HISTORY, asked(UsageGroup.USER)))
        .isInstanceOf(Problem.Refused.class);
  }

  private static AskHistory asked(UsageGroup by) {
    return new AskHistory(null, null, null, Instant.EPOCH, NOON, UsageStep.FIVE_MINUTES, by);
  }
}
