package io.orrery.orchestrator.alert;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.contract.PipelineRuns.AlertDelivery;
import io.orrery.core.bus.contract.PipelineRuns.AlertState;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.alert.AlertTable.Waiting;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of alerts, on any engine. */
abstract class AlertTableContract {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final RunAlerts FAILURES =
      new RunAlerts(
          List.of(RunStatus.FAILED), "hook", List.of(), List.of(), RunAlerts.USUALLY_LATE);

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private AlertTable table;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    success(AlertRows.MIGRATIONS.apply(store));
    table = new AlertTable(store);
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private static AlertBody body(
      String run, String project, @Nullable RunAlerts alerts, RunStatus status, Instant at) {
    RunSpec spec =
        new RunSpec(
            new RunId(run),
            "digits",
            1,
            new ProjectName(project),
            "ann",
            "ann",
            "manual",
            null,
            Parameters.EMPTY,
            1,
            true,
            List.of(),
            null,
            alerts);
    return new AlertBody(spec, status, at, at, "train: it failed", at);
  }

  private void fail(String run, String project, Instant at) throws Exception {
    success(store.write(AlertTable.insert(body(run, project, FAILURES, RunStatus.FAILED, at))));
  }

  private List<String> due(Instant now) throws Exception {
    return success(table.due(now, 100)).stream()
        .map(each -> each.run().orElseThrow().value())
        .toList();
  }

  private AlertDelivery only(String run) throws Exception {
    List<AlertDelivery> all = success(AlertRows.of(store, run));
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private void settle(Instant now, AlertOutcome outcome) throws Exception {
    for (Waiting each : success(table.due(now, 100))) {
      success(
          table.settle(
              each, AlertPlan.after(each.attempts() + 1, outcome, now, 0.5), outcome, now));
    }
  }

  @Test
  void aStatusWithoutReceiversHasNoAlert() {
    assertThat(AlertTable.insert(body("r1", "vision", null, RunStatus.FAILED, NOW))).isEmpty();
    assertThat(AlertTable.insert(body("r1", "vision", FAILURES, RunStatus.RUNNING, NOW))).isEmpty();
  }

  @Test
  void theSameStatusOfTheSameRunAtTheSameTimeIsOneAlert() throws Exception {
    fail("r1", "vision", NOW);
    fail("r1", "vision", NOW);
    assertThat(only("r1").state()).isEqualTo(AlertState.WAITING);

    fail("r1", "vision", NOW.plusSeconds(60));
    assertThat(success(AlertRows.of(store, "r1"))).hasSize(2);
  }

  @Test
  void aFailedAttemptIsDueAgainAfterItsPauseAndATakenOneNeverIs() throws Exception {
    fail("r1", "vision", NOW);
    settle(NOW, AlertOutcome.answered(503));

    assertThat(due(NOW.plusSeconds(1))).isEmpty();
    assertThat(success(table.next(NOW))).contains(NOW.plusSeconds(2));
    assertThat(due(NOW.plusSeconds(2))).containsExactly("r1");
    assertThat(only("r1").outcome()).isEqualTo("the receiver answered 503");
    assertThat(only("r1").attempts()).isEqualTo(1);

    settle(NOW.plusSeconds(2), AlertOutcome.answered(200));
    assertThat(due(NOW.plus(Duration.ofDays(1)))).isEmpty();
    assertThat(success(table.next(NOW))).isEmpty();
    assertThat(only("r1").state()).isEqualTo(AlertState.DELIVERED);
    assertThat(only("r1").attempts()).isEqualTo(2);
    assertThat(only("r1").nextAt()).isNull();
  }

  @Test
  void aProjectWithManyAlertsHoldsUpNoOther() throws Exception {
    for (int i = 0; i < 5; i++) {
      fail("a" + i, "vision", NOW.plusMillis(i));
    }
    fail("b", "speech", NOW.plusSeconds(1));

    assertThat(due(NOW.plusSeconds(2))).containsExactly("a0", "a1", "b");
  }

  @Test
  void furtherAlertsThanManyOfAProjectAreDroppedAndSayWhy() throws Exception {
    success(
        store.write(
            IntStream.range(0, AlertRows.MOST_WAITING)
                .boxed()
                .flatMap(i ->
                    AlertTable.insert(
                        body("r" + i, "vision", FAILURES, RunStatus.FAILED, NOW.plusMillis(i)))
                        .stream())
                .toList()));
    fail("late", "vision", NOW);
    fail("other", "speech", NOW);

    assertThat(only("late").state()).isEqualTo(AlertState.DROPPED);
    assertThat(only("late").outcome()).isEqualTo("1000 alerts of the project wait already");
    assertThat(only("late").nextAt()).isNull();
    assertThat(only("other").state()).isEqualTo(AlertState.WAITING);
  }

  @Test
  void oldOnesAndThoseOfADeletedRunAreForgotten() throws Exception {
    fail("r1", "vision", NOW);
    fail("r2", "vision", NOW);
    fail("r3", "speech", NOW);
    success(store.write(List.of(AlertRows.forget("r2"))));
    assertThat(success(AlertRows.of(store, "r2"))).isEmpty();

    settle(NOW, AlertOutcome.answered(410));
    fail("r4", "vision", NOW);
    success(table.forgetBefore(NOW.plusSeconds(1)));

    assertThat(success(AlertRows.of(store, "r1"))).isEmpty();
    assertThat(success(AlertRows.of(store, "r3"))).isEmpty();
    assertThat(only("r4").state()).isEqualTo(AlertState.WAITING);
  }

  @Test
  void eachReceiverHasARowOfItsOwnWithTheNameOfTheAlert() throws Exception {
    RunAlerts both =
        new RunAlerts(
            List.of(RunStatus.FAILED),
            "hook",
            List.of("ann@example.com"),
            List.of(),
            RunAlerts.USUALLY_LATE);
    AlertBody told = body("r1", "vision", both, RunStatus.FAILED, NOW);
    success(store.write(AlertTable.insert(told)));
    success(store.write(AlertTable.insert(told)));

    assertThat(success(AlertRows.of(store, "r1")))
        .extracting(AlertDelivery::mail)
        .containsExactlyInAnyOrder(null, "ann@example.com");
    assertThat(success(table.due(NOW, 100)))
        .hasSize(2)
        .extracting(Waiting::told)
        .containsOnly(told.id());
  }
}
