package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.DueRun;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.bus.contract.Templates;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Schedules and due runs are kept alike on every store. */
abstract class ScheduleContract extends ScheduleFixture {
  @Test
  void anInstantHasOneDueRunWhoseSpecificationIsFrozenForIt() throws Exception {
    pipeline("{\"cron\": \"* * * * *\", \"maxActiveRuns\": 5}", true);
    set(at(1));
    await(1, DueStatus.CREATED);
    set(at(0));
    set(at(1));
    set(at(2).plusMillis(5));

    List<DueRun> due = await(2, DueStatus.CREATED);
    assertThat(instants(due)).containsExactly(at(1), at(2));
    assertThat(due)
        .extracting(DueRun::id)
        .containsExactly("nightly-20261125t120100z", "nightly-20261125t120200z");
    assertThat(runs.taken).hasSize(2);
    var spec = runs.taken.get(due.getFirst().run());
    assertThat(spec.trigger()).isEqualTo("schedule");
    assertThat(spec.runner()).isEqualTo("ann");
    assertThat(spec.due()).isEqualTo(at(1));
    assertThat(spec.toString()).contains("2026-11-25T12:01:00Z");
  }

  @Test
  void aNewOwnerMakesUpForWhatWasMissedAndHearsOfTheEnds() throws Exception {
    pipeline("{\"cron\": \"* * * * *\"}", true);
    set(at(1));
    DueRun first = await(1, DueStatus.CREATED).getFirst();
    leave();
    runs.statuses.put(Objects.requireNonNull(first.run()), RunStatus.SUCCEEDED);
    clock.set(at(6).plusSeconds(30));
    control();

    List<DueRun> due = await(2, DueStatus.CREATED);
    assertThat(instants(due)).containsExactly(at(1), at(2), at(3), at(4), at(5), at(6));
    assertThat(due.get(1).status()).isEqualTo(DueStatus.CREATED);
    assertThat(due.get(2).reason()).contains("maxActiveRuns: 1");
    end(due.get(1), RunStatus.FAILED);
    await(3, DueStatus.CREATED);
  }

  @Test
  void aChainThatDependsOnThePastGoesOnWhenItsFailedRunSucceedsInARetryOrIsSkipped()
      throws Exception {
    pipeline("{\"cron\": \"* * * * *\", \"dependsOnPast\": true}", true);
    set(at(1));
    DueRun first = await(1, DueStatus.CREATED).getFirst();
    end(first, RunStatus.FAILED);
    set(at(2));
    set(at(3));
    List<DueRun> waiting = await(2, DueStatus.COMED);
    assertThat(waiting.get(1).reason())
        .isEqualTo("waits for the run due 2026-11-25 12:01, FAILED: retry it, or skip it");
    assertThat(waiting.get(2).reason()).contains("12:02, which waits as well");

    end(first, RunStatus.SUCCEEDED);
    DueRun second = await(2, DueStatus.CREATED).get(1);
    end(second, RunStatus.STOPPED);
    DueRun skipped =
        success(bus.request(Schedules.SKIP, new Schedules.ChangeDueRun(ANN, second.id())));
    assertThat(skipped.reason()).isEqualTo("skipped by ann");
    await(2, DueStatus.CREATED);
    assertThat(due().get(2).status()).isEqualTo(DueStatus.CREATED);

    DueRun again =
        success(bus.request(Schedules.AGAIN, new Schedules.ChangeDueRun(ANN, second.id())));
    assertThat(again.run()).isNull();
    end(due().get(2), RunStatus.SUCCEEDED);
    DueRun anew = await(3, DueStatus.CREATED).get(1);
    assertThat(anew.run()).isNotEqualTo(second.run());
    assertThat(runs.taken.get(anew.run()).due()).isEqualTo(at(2));
  }

  @Test
  void aDueRunThatIsSkippedWhileItIsSubmittedHasItsRunStopped() throws Exception {
    runs.meanwhile =
        run ->
            bus.request(Schedules.SKIP, new Schedules.ChangeDueRun(ANN, "nightly-20261125t120100z"))
                .onSuccess(skipped -> runs.meanwhile = later -> Future.succeededFuture());
    pipeline("{\"cron\": \"* * * * *\"}", true);
    set(at(1));

    assertThat(await(1, DueStatus.SKIPPED)).hasSize(1);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> List.copyOf(runs.statuses.values()).equals(List.of(RunStatus.STOPPED)));
    set(at(2));
    assertThat(await(1, DueStatus.CREATED).getLast().due()).isEqualTo(at(2));
  }

  @Test
  void schedulesAreListedPageByPageAsFarAsTheyAreSeen() throws Exception {
    pipeline("{\"cron\": \"* * * * *\"}", true);
    Schedules.Schedule one =
        success(bus.request(Schedules.GET, new Schedules.OfSchedule(new PipelineName("nightly"))));

    var all = success(bus.request(Schedules.LIST, new Schedules.ListSchedules(null, null, 1)));
    assertThat(all).isEqualTo(new Schedules.SchedulePage(List.of(one), null));
    for (var none :
        List.of(
            new Schedules.ListSchedules(null, "nightly", 1),
            new Schedules.ListSchedules(List.of(), null, 1),
            new Schedules.ListSchedules(List.of(new ProjectName("other")), null, 1))) {
      assertThat(success(bus.request(Schedules.LIST, none)).items()).isEmpty();
    }
  }

  @Test
  void whatIsUnderWayOrSucceededIsNotSkipped() throws Exception {
    pipeline("{\"cron\": \"* * * * *\"}", true);
    set(at(1));
    DueRun due = await(1, DueStatus.CREATED).getFirst();
    var change = new Schedules.ChangeDueRun(ANN, due.id());

    assertThat(failure(bus.request(Schedules.SKIP, change)).toString()).contains("stop it first");
    assertThat(failure(bus.request(Schedules.AGAIN, change)).toString()).contains("stop it first");
    end(due, RunStatus.SUCCEEDED);
    assertThat(failure(bus.request(Schedules.SKIP, change)).toString()).contains("has succeeded");
    assertThat(
            failure(bus.request(Schedules.SKIP, new Schedules.ChangeDueRun(ANN, "nightly-2026"))))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void aChangedExpressionBeginsNowAndWhatIsStoredStaysAsItWas() throws Exception {
    pipeline("{\"cron\": \"* * * * *\"}", true);
    set(at(1));
    await(1, DueStatus.CREATED);
    set(at(2));
    await(1, DueStatus.COMED);
    clock.set(at(10));
    pipeline("{\"cron\": \"*/5 * * * *\"}", false);
    set(at(16));
    await(2, DueStatus.COMED);
    assertThat(instants(due())).containsExactly(at(1), at(2), at(15));

    pipeline("{\"cron\": \"*/5 * * * *\", \"maxActiveRuns\": 9}", false);
    List<DueRun> all = await(3, DueStatus.CREATED);
    assertThat(runs.taken.get(all.get(1).run()).version()).isEqualTo(1);
    assertThat(runs.taken.get(all.get(2).run()).version()).isEqualTo(2);
    set(at(20));
    await(4, DueStatus.CREATED);
    assertThat(instants(due())).endsWith(at(20));
  }

  @Test
  void instantsPassWhileAScheduleIsPaused() throws Exception {
    pipeline("{\"cron\": \"* * * * *\"}", true);
    assertThat(success(bus.request(Schedules.PAUSE, change())).paused()).isTrue();
    assertThat(success(bus.request(Schedules.PAUSE, change())).upcoming()).isEmpty();
    set(at(5).plusSeconds(30));
    assertThat(success(bus.request(Schedules.RESUME, change())).upcoming().getFirst())
        .isEqualTo(at(6));
    set(at(6));
    await(1, DueStatus.CREATED);

    assertThat(instants(due())).containsExactly(at(6));
    assertThat(
            success(
                    bus.request(
                        Audits.LIST,
                        new Audits.ListEntries(null, "schedule", null, null, null, null, null, 10)))
                .items())
        .extracting(Audits.Entry::action)
        .containsExactly("resume", "pause");
  }

  private static Schedules.ChangeSchedule change() {
    return new Schedules.ChangeSchedule(ANN, NAME);
  }

  @Test
  void aBackfillCreatesWhatHasNoDueRunAndKeepDropsWhatIsOver() throws Exception {
    pipeline("{\"cron\": \"0 * * * *\", \"maxActiveRuns\": 50, \"keep\": 2}", true);
    Instant from = NOON.minus(Duration.ofHours(4));
    var dry = new Schedules.Backfill(ANN, NAME, from, NOON, true);

    assertThat(success(bus.request(Schedules.BACKFILL, dry)).items()).hasSize(5);
    assertThat(due()).isEmpty();
    success(bus.request(Schedules.BACKFILL, new Schedules.Backfill(ANN, NAME, from, NOON, false)));
    List<DueRun> past = await(5, DueStatus.CREATED);
    assertThat(success(bus.request(Schedules.BACKFILL, dry)).items()).isEmpty();
    assertThat(
            failure(
                    bus.request(
                        Schedules.BACKFILL, new Schedules.Backfill(ANN, NAME, from, at(60), true)))
                .toString())
        .contains("ends in the past");

    for (DueRun each : past.subList(0, 4)) {
      end(each, RunStatus.SUCCEEDED);
    }
    set(at(60));
    await(4, DueStatus.CREATED);
    Awaitility.await().atMost(PATIENCE).until(() -> due().size() == 4);
    assertThat(instants(due())).containsExactly(at(-120), at(-60), at(0), at(60));
  }

  @Test
  void aScheduleThatIsRemovedSkipsWhatWaitsAndADeletedPipelineForgetsAll() throws Exception {
    pipeline("{\"cron\": \"* * * * *\"}", true);
    set(at(2));
    await(1, DueStatus.COMED);
    success(bus.request(Schedules.DELETE, change()));

    assertThat(due().get(1).status()).isEqualTo(DueStatus.SKIPPED);
    assertThat(due().get(1).reason()).isEqualTo("the schedule was removed");
    assertThat(failure(bus.request(Schedules.GET, new Schedules.OfSchedule(NAME))))
        .isInstanceOf(Problem.NotFound.class);
    assertThat(
            failure(
                    bus.request(
                        Schedules.AGAIN, new Schedules.ChangeDueRun(ANN, due().get(1).id())))
                .toString())
        .contains("no schedule any more");
    success(bus.request(Pipelines.DELETE, new Pipelines.OfPipeline(ANN, NAME)));
    assertThat(due()).isEmpty();

    clock.set(at(0));
    pipeline("{\"cron\": \"* * * * *\"}", true);
    set(at(1));
    DueRun anew = await(1, DueStatus.CREATED).getFirst();
    assertThat(anew.due()).isEqualTo(at(1));
  }

  @Test
  void aPipelineThatCannotBeFrozenAnyMoreHasItsDueRunRefusedWithTheReason() throws Exception {
    success(
        bus.request(
            Templates.PUT,
            new Templates.PutTemplate(
                ANN,
                new PipelineName("own"),
                VISION,
                "{\"command\":[\"true\"]}",
                true,
                null,
                false)));
    success(
        bus.request(
            Pipelines.PUT,
            new Pipelines.PutPipeline(
                ANN,
                NAME,
                VISION,
                """
                {"tasks": [{"name": "a", "template": "own"}], "schedule": {"cron": "* * * * *"}}
                """,
                true,
                null,
                false)));
    success(bus.request(Templates.DELETE, new Templates.OfTemplate(ANN, new PipelineName("own"))));
    set(at(1));

    assertThat(await(1, DueStatus.REFUSED).getFirst().reason())
        .contains("/tasks/0/template")
        .contains("own");
  }

  @Test
  void whatIsMissedRefusedOrLateIsToldOnceEach() throws Exception {
    success(
        bus.request(
            Templates.PUT,
            new Templates.PutTemplate(
                ANN,
                new PipelineName("own"),
                VISION,
                "{\"command\":[\"true\"]}",
                true,
                null,
                false)));
    success(
        bus.request(
            Pipelines.PUT,
            new Pipelines.PutPipeline(
                ANN,
                NAME,
                VISION,
                """
                {"tasks": [{"name": "a", "template": "own"}],
                 "schedule": {"cron": "* * * * *", "maxActiveRuns": 1, "missed": "none"},
                 "alerts": {"on": ["MISSED", "REFUSED", "LATE"], "late": "5m",
                            "mail": ["ann@example.com"]}}
                """,
                true,
                null,
                false)));
    set(at(1));
    await(1, DueStatus.CREATED);
    set(at(2));
    await(1, DueStatus.COMED);
    set(at(10));
    await(2, DueStatus.COMED);
    Awaitility.await().atMost(PATIENCE).until(() -> told().contains("LATE"));
    success(bus.request(Templates.DELETE, new Templates.OfTemplate(ANN, new PipelineName("own"))));
    set(at(11));
    await(1, DueStatus.REFUSED);
    leave();
    control();
    set(at(12));
    await(2, DueStatus.REFUSED);

    assertThat(told()).containsExactlyInAnyOrder("MISSED", "LATE", "REFUSED", "REFUSED");
    success(bus.request(Pipelines.DELETE, new Pipelines.OfPipeline(ANN, NAME)));
    assertThat(success(AlertRows.of(store, AlertRows.ofSchedule(NAME)))).isEmpty();
  }

  private List<String> told() throws Exception {
    return schedule().alerts().stream().map(PipelineRuns.AlertDelivery::status).toList();
  }

  @Test
  void aParameterWithoutADefaultIsRefusedWhereAScheduleWouldStartTheRun() throws Exception {
    Problem refused =
        failure(
            bus.request(
                Pipelines.PUT,
                new Pipelines.PutPipeline(
                    ANN,
                    NAME,
                    VISION,
                    """
                    {"parameters": {"x": {"type": "int"}},
                     "tasks": [{"name": "a", "command": "true"}],
                     "schedule": {"cron": "* * * * *"}}
                    """,
                    true,
                    null,
                    false)));

    assertThat(refused.toString()).contains("/parameters/x", "is given no parameters");
  }

  @Test
  void thePageOfDueRunsGoesOnAtItsCursor() throws Exception {
    pipeline("{\"cron\": \"* * * * *\", \"maxActiveRuns\": 50}", true);
    set(at(5));
    await(5, DueStatus.CREATED);
    var first =
        success(
            bus.request(
                Schedules.DUE_RUNS,
                new Schedules.ListDueRuns(List.of(VISION), NAME, DueStatus.CREATED, null, 2)));
    var second =
        success(
            bus.request(
                Schedules.DUE_RUNS, new Schedules.ListDueRuns(null, null, null, first.next(), 10)));

    assertThat(instants(first.items())).containsExactly(at(5), at(4));
    assertThat(instants(second.items())).containsExactly(at(3), at(2), at(1));
    assertThat(second.next()).isNull();
    assertThat(schedule().upcoming()).startsWith(at(6));
    assertThat(
            success(
                    bus.request(
                        Schedules.DUE_RUNS,
                        new Schedules.ListDueRuns(List.of(), null, null, null, 10)))
                .items())
        .isEmpty();
  }
}
