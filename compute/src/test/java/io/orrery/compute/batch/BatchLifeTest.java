package io.orrery.compute.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.attempt.KeeperFacts;
import io.orrery.compute.attempt.LifeTable;
import io.orrery.compute.attempt.LifeTable.Row;
import io.orrery.compute.batch.BatchLife.Action;
import io.orrery.compute.batch.BatchLife.Conclusion;
import io.orrery.compute.batch.BatchLife.End;
import io.orrery.compute.batch.BatchLife.Finish;
import io.orrery.compute.batch.BatchLife.LeaveBehind;
import io.orrery.compute.batch.BatchLife.Stop;
import io.orrery.compute.batch.BatchLife.StopSpare;
import io.orrery.compute.batch.BatchLife.Tell;
import io.orrery.compute.batch.BatchLife.TellStarted;
import io.orrery.compute.batch.BatchState.Running;
import io.orrery.compute.batch.BatchState.Stops;
import io.orrery.compute.batch.BatchState.Unreachable;
import io.orrery.compute.batch.BatchState.Waiting;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.compute.batch.JobView.Phase;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link BatchLife}: what follows from a state and from what is known. */
class BatchLifeTest {
  private static final AttemptRef REF =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("trial")), 1);
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  /** Longer ago than the service is waited for in any case. */
  private static final Instant LONG_AGO = NOW.minusSeconds(3_600);

  private static final Instant JUST_NOW = NOW.minusSeconds(1);
  private static final String NAME = "job";
  private static final JobRef A = new JobRef(NAME, "a");
  private static final JobRef B = new JobRef(NAME, "b");

  private static final KeeperFacts NONE = new KeeperFacts(null, null, null, false);
  private static final KeeperFacts CAME = new KeeperFacts(LONG_AGO, null, null, false);
  private static final KeeperFacts CANCELED = new KeeperFacts(null, null, null, true);
  private static final KeeperFacts CANCELED_LATE = new KeeperFacts(LONG_AGO, null, null, true);

  private static final Stops UNSTOPPED = new Stops(null, null, null, null);
  private static final Stops STOPPED = new Stops(null, null, JUST_NOW, JUST_NOW);
  private static final Stops STOPPED_LONG_AGO = new Stops(null, null, LONG_AGO, LONG_AGO);
  private static final BatchState WAITING = BatchState.NEW;
  private static final BatchState RUNNING = WAITING.with(new Running());
  private static final BatchState UNREACHABLE = WAITING.with(new Unreachable());

  private static final String QUEUED = "its job job waits at Service (QUEUED)";

  private static final BatchLife LIFE =
      new BatchLife(REF, new JobWords("Service", NAME, job -> null), BatchTimeouts.STANDARD);

  private static final LifeTable<BatchState, BatchFacts, Action, Conclusion> TABLE =
      new LifeTable<>((state, facts) -> LIFE.conclude(state, facts, NOW), Conclusion::new);

  static Stream<Row<BatchState, BatchFacts, Action, Conclusion>> table() {
    return Stream.of(
        TABLE.row("nothing is known", WAITING, facts(NONE, none()), WAITING),
        TABLE.row(
            "it waits",
            WAITING,
            facts(NONE, seen(Phase.WAITING)),
            WAITING.with(new Waiting(QUEUED)),
            new Tell(new PlatformEvent.Waiting(REF, QUEUED))),
        TABLE.row(
            "it waits, which was told",
            WAITING.with(new Waiting(QUEUED)),
            facts(NONE, seen(Phase.WAITING)),
            WAITING.with(new Waiting(QUEUED))),
        TABLE.edge(
            "its keeper came",
            "a keeper came",
            WAITING,
            facts(CAME, seen(Phase.WAITING)),
            RUNNING,
            new TellStarted(LONG_AGO)),
        TABLE.edge(
            "its service says that it runs",
            "the job runs",
            WAITING,
            facts(NONE, seen(Phase.RUNNING)),
            RUNNING,
            new TellStarted(NOW)),
        TABLE.edge(
            "its command is over before its start was seen",
            "a keeper told an end",
            WAITING,
            facts(ended(0, JUST_NOW), none()),
            RUNNING,
            new TellStarted(JUST_NOW)),
        TABLE.row(
            "its service does not answer for a moment",
            RUNNING,
            facts(CAME, seen(Phase.RUNNING).unseen("no route", false, JUST_NOW)),
            RUNNING),
        TABLE.edge(
            "its service does not answer",
            "the service is silent",
            RUNNING,
            facts(CAME, seen(Phase.RUNNING).unseen("no route", false, LONG_AGO)),
            UNREACHABLE,
            new Tell(new PlatformEvent.Unreachable(REF, "no route"))),
        TABLE.row(
            "its service does not answer, which was told",
            UNREACHABLE,
            facts(CAME, seen(Phase.RUNNING).unseen("no route", false, LONG_AGO)),
            UNREACHABLE),
        TABLE.edge(
            "its service answers again",
            "the service answers",
            UNREACHABLE,
            facts(CAME, seen(Phase.RUNNING)),
            RUNNING,
            new TellStarted(NOW)),
        TABLE.row(
            "it waits, and its service does not answer",
            WAITING,
            facts(NONE, seen(Phase.WAITING).unseen("no route", false, LONG_AGO)),
            WAITING.with(new Waiting("no route")),
            new Tell(new PlatformEvent.Waiting(REF, "no route"))),
        TABLE.edge(
            "its job is over",
            "the job is over",
            RUNNING,
            facts(CAME, seen(Phase.SUCCEEDED)),
            RUNNING,
            new Finish()),
        TABLE.row(
            "its job is not there for a moment",
            RUNNING,
            facts(CAME, none().seen(List.of(), JUST_NOW)),
            RUNNING),
        TABLE.edge(
            "its job is gone",
            "the job is gone",
            RUNNING,
            facts(CAME, none().seen(List.of(), LONG_AGO)),
            RUNNING,
            new Finish()),
        TABLE.row(
            "its command is over and its job lingers",
            RUNNING,
            facts(ended(0, LONG_AGO), seen(Phase.RUNNING)),
            RUNNING.with(new Stops(null, null, NOW, NOW)),
            new Stop(List.of(A))),
        TABLE.row(
            "it is canceled",
            RUNNING,
            facts(CANCELED_LATE, seen(Phase.RUNNING)),
            RUNNING.with(new Stops(null, null, NOW, NOW)),
            new Stop(List.of(A))),
        TABLE.row(
            "it is canceled before its job was seen",
            WAITING,
            facts(CANCELED, none()),
            WAITING.with(new Stops(null, null, NOW, NOW)),
            new Stop(List.of(new JobRef(NAME, null)))),
        TABLE.row(
            "its job was just stopped",
            RUNNING.with(STOPPED),
            facts(CANCELED_LATE, seen(Phase.RUNNING)),
            RUNNING.with(STOPPED)),
        TABLE.row(
            "its job goes on although it was stopped",
            RUNNING.with(STOPPED_LONG_AGO),
            facts(CANCELED_LATE, seen(Phase.RUNNING)),
            RUNNING.with(new Stops(null, null, LONG_AGO, NOW)),
            new Stop(List.of(A))),
        TABLE.edge(
            "it is canceled and the service refuses this server",
            "canceled, and the service refuses",
            WAITING,
            facts(CANCELED, seen(Phase.WAITING).unseen("no rights", true, LONG_AGO)),
            WAITING,
            new LeaveBehind(),
            new Finish()),
        TABLE.row(
            "it waits a second time while its command runs",
            RUNNING,
            facts(CAME, seen(Phase.RUNNING, Phase.WAITING)),
            RUNNING.with(UNSTOPPED.sparing(NOW))),
        TABLE.row(
            "it has waited a second time for long",
            RUNNING.with(UNSTOPPED.sparing(LONG_AGO)),
            facts(CAME, seen(Phase.RUNNING, Phase.WAITING)),
            RUNNING.with(UNSTOPPED.sparing(LONG_AGO).spared(NOW)),
            new StopSpare(List.of(B))));
  }

  @ParameterizedTest
  @MethodSource("table")
  void concludes(Row<BatchState, BatchFacts, Action, Conclusion> row) {
    row.check();
  }

  @ParameterizedTest
  @MethodSource("table")
  void concludesNothingTwice(Row<BatchState, BatchFacts, Action, Conclusion> row) {
    assertThat(LIFE.conclude(row.to(), row.facts(), NOW).actions())
        .allMatch(action -> action instanceof Finish || action instanceof LeaveBehind);
  }

  @Test
  void itsEndIsThatOfItsCommandAndElseThatOfItsJob() {
    assertThat(end(RUNNING, ended(3, JUST_NOW), seen(Phase.FAILED)))
        .isEqualTo(new End(new PlatformEvent.Ended(REF, 3, JUST_NOW, null), false));
    assertThat(end(RUNNING, CAME, seen(Phase.SUCCEEDED)))
        .isEqualTo(new End(new PlatformEvent.Ended(REF, 0, NOW, null), true));
    assertThat(end(RUNNING, CAME, seen(Phase.LOST)).ended().reason())
        .isEqualTo("its job job was lost at Service");
    assertThat(end(RUNNING, CAME, none()).ended().reason())
        .isEqualTo("its job job was deleted at Service, not by this server");
    assertThat(end(WAITING, NONE, seen(Phase.FAILED)))
        .isEqualTo(
            new End(
                new PlatformEvent.Ended(
                    REF, 1, NOW, "its job job failed at Service; it ran nothing"),
                true));
  }

  @Test
  void anEndBySigtermIsNotTheCommandsWhenItsServiceStoppedIt() {
    KeeperFacts terminated = ended(143, JUST_NOW);
    assertThat(end(RUNNING, terminated, seen(Phase.STOPPED)).ended())
        .isEqualTo(
            new PlatformEvent.Ended(
                REF, null, NOW, "its job job was stopped at Service, not by this server"));
    assertThat(end(RUNNING.with(STOPPED), terminated, seen(Phase.STOPPED)).ended().exitCode())
        .isEqualTo(143);
  }

  @Test
  void aCanceledOneSaysThatItsJobMayGoOn() {
    assertThat(end(WAITING, CANCELED, seen(Phase.STOPPED)).ended().reason())
        .isEqualTo("canceled before it started");
    BatchFacts.Jobs refused = seen(Phase.RUNNING).unseen("no rights", true, LONG_AGO);
    assertThat(end(RUNNING, CANCELED_LATE, refused).ended().reason())
        .isEqualTo("canceled; its job job may go on: no rights");
  }

  @Test
  void thePictureInTheDocumentationIsTheTable() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "architecture.md")))
        .contains(
            LifeTable.picture(table(), WAITING, BatchState::progress, Finish.class::isInstance));
  }

  private End end(BatchState state, KeeperFacts keeper, BatchFacts.Jobs jobs) {
    return LIFE.end(state, facts(keeper, jobs), NOW).actions().stream()
        .filter(End.class::isInstance)
        .map(End.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static BatchFacts facts(KeeperFacts keeper, BatchFacts.Jobs jobs) {
    return new BatchFacts(keeper, jobs);
  }

  private static KeeperFacts ended(int code, Instant at) {
    return new KeeperFacts(null, new Keepers.State.Ended(code, at, true, null), at, false);
  }

  private static BatchFacts.Jobs none() {
    return BatchFacts.Jobs.unseen(NAME);
  }

  /** Jobs {@code a}, {@code b}, … in these phases. */
  private static BatchFacts.Jobs seen(Phase... phases) {
    List<JobView> jobs =
        Stream.iterate(0, i -> i < phases.length, i -> i + 1)
            .map(i ->
                JobView.of(
                    Character.toString('a' + i),
                    phases[i],
                    phases[i] == Phase.WAITING ? "QUEUED" : phases[i].name()))
            .toList();
    return none().seen(jobs, NOW);
  }
}
