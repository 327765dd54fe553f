package io.orrery.orchestrator.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deletes the runs of builds that a server has left. */
class LeftBuildRunsTest {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final ImageBuild WAITING =
      new ImageBuild(
          "tool",
          VISION,
          "ann",
          new BuildSpec("hub.example.com/tool:1", "FROM scratch", null, null, Map.of(), Map.of()),
          1,
          BuildStatus.RUNNING,
          false,
          null,
          null,
          null,
          "ann",
          Instant.EPOCH,
          Instant.EPOCH,
          Instant.EPOCH,
          null,
          1);

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final List<Run> runs = new ArrayList<>();
  private final List<RunId> deleted = new ArrayList<>();
  private final List<RunId> stopped = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static Run run(RunId id, RunStatus status) {
    return new Run(
        id,
        "tool",
        1,
        VISION,
        "ann",
        "ann",
        RunSpec.BUILD,
        null,
        Parameters.EMPTY,
        status,
        Instant.EPOCH,
        null,
        null,
        null);
  }

  /** Serves the runs, one on each page. */
  private void serve() throws Exception {
    await(
        Future.all(
            bus.serve(
                PipelineRuns.LIST,
                asked -> {
                  assertThat(asked.trigger()).isEqualTo(RunSpec.BUILD);
                  int at = asked.cursor() == null ? 0 : Integer.parseInt(asked.cursor());
                  return Future.succeededFuture(
                      new PipelineRuns.RunPage(
                          runs.subList(at, Math.min(at + 1, runs.size())),
                          at + 1 < runs.size() ? String.valueOf(at + 1) : null));
                }),
            bus.serve(
                Builds.UNFINISHED,
                asked -> Future.succeededFuture(new Builds.BuildList(List.of(WAITING)))),
            bus.serve(
                PipelineRuns.DELETE,
                asked -> {
                  deleted.add(asked.id());
                  return Future.succeededFuture(new Done());
                }),
            bus.serve(
                PipelineRuns.COMMAND,
                asked -> {
                  assertThat(asked.verb()).isEqualTo(PipelineRuns.Verb.STOP);
                  stopped.add(asked.id());
                  return Future.failedFuture(new Problem.NotFound("no run").toException());
                })));
  }

  @Test
  void thatOfABuildThatIsOverIsDeletedAndThatOfAnotherOneKept() throws Exception {
    RunId left = new RunId("bleft");
    runs.add(run(BuildRun.id(WAITING), RunStatus.RUNNING));
    runs.add(run(left, RunStatus.SUCCEEDED));
    serve();

    assertThat(await(new LeftBuildRuns(bus).delete())).isTrue();

    assertThat(deleted).containsExactly(left);
    assertThat(stopped).isEmpty();
  }

  @Test
  void oneThatStillRunsIsEndedAndLookedForAgain() throws Exception {
    RunId left = new RunId("bleft");
    runs.add(run(left, RunStatus.RUNNING));
    serve();

    await(new LeftBuildRuns(bus).delete());

    assertThat(stopped).containsExactly(left);
    assertThat(deleted).isEmpty();
  }

  @Test
  void withoutAnyNothingIsAsked() throws Exception {
    serve();

    assertThat(await(new LeftBuildRuns(bus).delete())).isTrue();
  }
}
