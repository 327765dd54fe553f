package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.attempt.LifeTable;
import io.orrery.compute.attempt.LifeTable.Row;
import io.orrery.compute.kubernetes.JobFacts.Deletion;
import io.orrery.compute.kubernetes.JobLife.Action;
import io.orrery.compute.kubernetes.JobLife.CheckRemoval;
import io.orrery.compute.kubernetes.JobLife.Delete;
import io.orrery.compute.kubernetes.JobLife.DeleteAgain;
import io.orrery.compute.kubernetes.JobLife.DeletePods;
import io.orrery.compute.kubernetes.JobLife.End;
import io.orrery.compute.kubernetes.JobLife.Finish;
import io.orrery.compute.kubernetes.JobLife.ListPods;
import io.orrery.compute.kubernetes.JobLife.Next;
import io.orrery.compute.kubernetes.JobLife.Search;
import io.orrery.compute.kubernetes.JobLife.Tell;
import io.orrery.compute.kubernetes.JobLife.TellStarted;
import io.orrery.compute.kubernetes.JobProgress.Running;
import io.orrery.compute.kubernetes.JobProgress.Since;
import io.orrery.compute.kubernetes.JobProgress.Unreachable;
import io.orrery.compute.kubernetes.JobProgress.Waiting;
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

/** The table of {@link JobLife}: what follows from a state and from what is known. */
class JobLifeTest extends JobFactsFixture {
  private static final AttemptRef REF =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("trial")), 1);
  private static final String NOT_YET =
      "the cluster has its job job and has not started its pod yet";
  private static final String BLIND =
      "the API server at https://cluster cannot be watched: no route";

  private static final JobProgress FRESH = JobProgress.NEW;
  private static final JobProgress WAITING = FRESH.sawJob(true).with(new Waiting(NOT_YET));
  private static final JobProgress RUNNING = FRESH.sawJob(true).with(new Running());
  private static final JobProgress UNREACHABLE =
      RUNNING.with(new Unreachable()).with(new Since(LONG_AGO, null, null));

  private static final JobLife LIFE = life(false, LONG_AGO);

  private static final LifeTable<JobProgress, Sight, Action, Next> TABLE =
      new LifeTable<>((state, facts) -> LIFE.conclude(state, facts.build(), NOW), Next::new);

  static Stream<Row<JobProgress, Sight, Action, Next>> table() {
    return Stream.of(
        TABLE.row(
            "it is young",
            (state, facts) -> life(false, JUST_NOW).conclude(state, facts.build(), NOW),
            FRESH,
            facts(NONE, QUEUED),
            FRESH.sawJob(true)),
        TABLE.row(
            "it has had no pod for some seconds",
            FRESH,
            facts(NONE, QUEUED),
            WAITING,
            new Tell(new PlatformEvent.Waiting(REF, NOT_YET))),
        TABLE.row("it waits, which was told", WAITING, facts(NONE, QUEUED), WAITING),
        TABLE.edge(
            "its pod runs",
            "a pod runs",
            WAITING,
            facts(NONE, QUEUED, UP),
            RUNNING,
            new TellStarted(LONG_AGO)),
        TABLE.edge(
            "its keeper came",
            "a keeper came",
            WAITING,
            facts(CAME, QUEUED, PENDING),
            RUNNING,
            new TellStarted(LONG_AGO)),
        TABLE.edge(
            "its controller says that it runs",
            "the job runs",
            WAITING,
            facts(NONE, RUNS, PENDING),
            RUNNING,
            new TellStarted(NOW)),
        TABLE.edge(
            "its command is over before its start was seen",
            "a keeper told an end",
            WAITING,
            facts(ended(0, JUST_NOW), QUEUED, PENDING),
            RUNNING,
            new TellStarted(JUST_NOW)),
        TABLE.row(
            "the watch breaks for a moment",
            RUNNING.with(new Since(JUST_NOW, null, null)),
            facts(CAME, RUNS, UP).watch(LOST),
            RUNNING.with(new Since(JUST_NOW, null, null))),
        TABLE.edge(
            "the watch has been broken for long",
            "the cluster cannot be watched",
            RUNNING.with(new Since(LONG_AGO, null, null)),
            facts(CAME, RUNS, UP).watch(LOST),
            UNREACHABLE,
            new Tell(new PlatformEvent.Unreachable(REF, BLIND))),
        TABLE.row(
            "the watch is still broken, which was told",
            UNREACHABLE,
            facts(CAME, RUNS, UP).watch(LOST),
            UNREACHABLE),
        TABLE.edge(
            "the watch is back",
            "the watch is back",
            UNREACHABLE,
            facts(CAME, RUNS, UP),
            RUNNING,
            new TellStarted(NOW)),
        TABLE.edge(
            "its job has succeeded and all its pods are seen",
            "the job is over",
            RUNNING,
            facts(CAME, SUCCEEDED, DONE),
            RUNNING.with(new Since(null, NOW, null)),
            new Finish(facts(CAME, SUCCEEDED, DONE).build())),
        TABLE.row(
            "its job has succeeded, and the end of its pod may be on its way",
            RUNNING,
            facts(CAME, SUCCEEDED),
            RUNNING.with(new Since(null, NOW, null))),
        TABLE.row(
            "its job has failed, and its keeper has not reported",
            RUNNING,
            facts(CAME, FAILED, BROKEN),
            RUNNING.with(new Since(null, NOW, null)),
            new ListPods()),
        TABLE.row(
            "its job is gone",
            RUNNING,
            facts(CAME, null),
            RUNNING.with(new Since(null, NOW, null)),
            new ListPods()),
        TABLE.row(
            "its job is over and a pod lingers",
            RUNNING.with(new Since(null, LONG_AGO, null)),
            facts(CAME, SUCCEEDED, UP),
            RUNNING
                .with(new Since(null, LONG_AGO, null))
                .with(new Judgment(new Verdict(0, null), null)),
            new Delete(),
            new DeletePods()),
        TABLE.row(
            "its command is over and its job lingers",
            RUNNING,
            facts(ended(4, LONG_AGO), RUNS, UP),
            RUNNING.with(new Judgment(null, new Verdict(4, null))),
            new Delete(),
            new DeletePods()),
        TABLE.row(
            "no pod of it can start for a moment",
            WAITING.with(new Waiting("no such image")),
            facts(NONE, QUEUED, HOPELESS),
            WAITING.with(new Waiting("no such image")).with(new Since(null, null, NOW))),
        TABLE.row(
            "no pod of it can start for long",
            WAITING.with(new Waiting("no such image")).with(new Since(null, null, LONG_AGO)),
            facts(NONE, QUEUED, HOPELESS),
            WAITING
                .with(new Waiting("no such image"))
                .with(new Since(null, null, LONG_AGO))
                .with(new Judgment(new Verdict(1, "no such image"), null)),
            new Delete()),
        TABLE.row(
            "its node does not answer",
            RUNNING,
            facts(CAME, RUNS, SILENT),
            RUNNING.with(
                new Judgment(
                    new Verdict(null, "its pod was deleted, but its node does not answer"), null)),
            new Delete()),
        TABLE.row(
            "its job has never been seen",
            FRESH.with(new Waiting(NOT_YET)),
            facts(NONE, null),
            FRESH.with(new Waiting(NOT_YET)),
            new Search()),
        TABLE.row(
            "its job is deleted, and a pod still ends",
            RUNNING,
            facts(CANCELED_LATE, RUNS, UP).deletion(new Deletion(JUST_NOW, null, "")),
            RUNNING),
        TABLE.row(
            "its job is deleted and its pods are over",
            RUNNING,
            facts(CANCELED_LATE, null, DONE).deletion(new Deletion(JUST_NOW, null, "")),
            RUNNING,
            new CheckRemoval()),
        TABLE.row(
            "it is canceled and the cluster refuses to delete its job",
            WAITING,
            facts(CANCELED, QUEUED).deletion(new Deletion(null, LONG_AGO, "no rights")),
            WAITING,
            new DeleteAgain()),
        TABLE.edge(
            "it is canceled and the cluster refuses for long",
            "canceled, and the cluster refuses",
            (state, facts) -> LIFE.askedAgain(state, facts.build(), NOW),
            WAITING,
            facts(CANCELED, QUEUED).deletion(new Deletion(null, LONG_AGO, "no rights")),
            WAITING,
            new Finish(
                facts(CANCELED, null).deletion(new Deletion(null, LONG_AGO, "no rights")).build())),
        TABLE.edge(
            "the API server has no living pod of a job that failed",
            "its pods are over",
            (state, facts) -> LIFE.listed(state, facts.build(), List.of(BROKEN)),
            RUNNING,
            facts(CAME, FAILED),
            RUNNING,
            new Finish(facts(CAME, FAILED, BROKEN).build())),
        TABLE.row(
            "the API server has a living pod of a job that failed",
            (state, facts) -> LIFE.listed(state, facts.build(), List.of(UP)),
            RUNNING,
            facts(CAME, FAILED),
            RUNNING),
        TABLE.edge(
            "all of it is gone",
            "the job is deleted",
            (state, facts) -> LIFE.checked(state, facts.build(), true, NOW),
            RUNNING,
            facts(CANCELED_LATE, RUNS).deletion(new Deletion(LONG_AGO, null, "")),
            RUNNING,
            new Finish(
                facts(CANCELED_LATE, null).deletion(new Deletion(LONG_AGO, null, "")).build())),
        TABLE.row(
            "the garbage collector is late",
            (state, facts) -> LIFE.checked(state, facts.build(), false, NOW),
            RUNNING,
            facts(CANCELED_LATE, null, UP).deletion(new Deletion(LONG_AGO, null, "")),
            RUNNING,
            new DeletePods()),
        TABLE.row(
            "the API server has no job either",
            (state, facts) -> LIFE.searched(state, false),
            FRESH,
            facts(NONE, null),
            FRESH.sawJob(true)));
  }

  @ParameterizedTest
  @MethodSource("table")
  void concludes(Row<JobProgress, Sight, Action, Next> row) {
    row.check();
  }

  @ParameterizedTest
  @MethodSource("table")
  void tellsNothingTwice(Row<JobProgress, Sight, Action, Next> row) {
    assertThat(LIFE.conclude(row.to(), row.facts().build(), NOW).actions())
        .noneMatch(action -> action instanceof Tell && row.actions().contains(action))
        .noneMatch(action -> action instanceof TellStarted && row.to().isStarted());
  }

  @Test
  void podsThatItsControllerMovesAreNotLost() {
    assertThat(
            life(true, LONG_AGO)
                .conclude(RUNNING, facts(CAME, RUNS, SILENT).build(), NOW)
                .actions())
        .isEmpty();
  }

  @Test
  void itsEndIsThatOfItsCommandAndElseThatOfItsJob() {
    assertThat(end(RUNNING, facts(ended(3, JUST_NOW), FAILED, BROKEN)))
        .isEqualTo(new End(new PlatformEvent.Ended(REF, 3, JUST_NOW, null), false));
    assertThat(end(RUNNING, facts(CAME, SUCCEEDED, DONE)))
        .isEqualTo(new End(new PlatformEvent.Ended(REF, 0, JUST_NOW, null), true));
    assertThat(end(RUNNING, facts(CAME, null)).ended())
        .isEqualTo(
            new PlatformEvent.Ended(
                REF, null, NOW, "its job job was deleted from the cluster, not by this server"));
  }

  @Test
  void aVerdictThatWasDrawnStandsAndAKeeperMayAddItsExitCode() {
    JobProgress stuck = RUNNING.with(Judgment.OPEN.stuck(true, "its node is gone"));
    assertThat(end(stuck, facts(CAME, null)))
        .isEqualTo(new End(new PlatformEvent.Ended(REF, null, NOW, "its node is gone"), true));
    assertThat(end(stuck, facts(ended(7, JUST_NOW), null)).ended())
        .isEqualTo(new PlatformEvent.Ended(REF, 7, JUST_NOW, "its node is gone"));
  }

  @Test
  void aCanceledOneSaysThatItsJobMayBeLeft() {
    assertThat(end(WAITING, facts(CANCELED, null)).ended().reason())
        .isEqualTo("canceled before it started");
    assertThat(
            end(
                    RUNNING,
                    facts(CANCELED_LATE, null).deletion(new Deletion(null, LONG_AGO, "no rights")))
                .ended()
                .reason())
        .isEqualTo("canceled; its job job may be left: no rights");
  }

  @Test
  void thePictureInTheDocumentationIsTheTable() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "architecture.md")))
        .contains(LifeTable.picture(table(), FRESH, JobProgress::told, Finish.class::isInstance));
  }

  private static JobLife life(boolean restarts, Instant begun) {
    JobTraits traits = new JobTraits("job", "worker", 1, restarts, 0, "https://cluster", List.of());
    return new JobLife(REF, traits, ClusterTimeouts.STANDARD, begun);
  }

  private static End end(JobProgress state, Sight facts) {
    return LIFE.end(state, facts.build(), NOW).actions().stream()
        .filter(End.class::isInstance)
        .map(End.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
