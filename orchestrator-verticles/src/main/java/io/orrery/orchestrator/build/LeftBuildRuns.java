package io.orrery.orchestrator.build;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.ListRuns;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the runs of builds in pods that are over: a server that ended after it had reported an
 * end, and before it had deleted the run, has left one.
 */
final class LeftBuildRuns {
  private static final Logger LOG = LoggerFactory.getLogger(LeftBuildRuns.class);
  private static final int PAGE = 100;

  private final Bus bus;

  LeftBuildRuns(Bus bus) {
    this.bus = bus;
  }

  /** Deletes them; whether none is left. */
  Future<Boolean> delete() {
    List<Run> runs = new ArrayList<>();
    // Asked in this order: the build of a run that is found is unfinished, or over by now.
    return AsyncLoop.pages(cursor -> page(cursor, runs))
        .compose(found -> runs.isEmpty() ? Future.succeededFuture(Set.of()) : needed())
        .compose(needed -> {
          List<Run> left = runs.stream().filter(run -> !needed.contains(run.id())).toList();
          AtomicBoolean none = new AtomicBoolean(true);
          return AsyncLoop.inTurn(
                  left, run -> deleted(run).onSuccess(gone -> none.compareAndSet(true, gone)))
              .map(done -> none.get());
        });
  }

  private Future<@Nullable String> page(@Nullable String cursor, List<Run> runs) {
    return bus.request(
            PipelineRuns.LIST,
            new ListRuns(null, null, null, null, RunSpec.BUILD, null, cursor, PAGE))
        .map(page -> {
          runs.addAll(page.items());
          return page.next();
        });
  }

  /** The runs of builds that are not over. */
  private Future<Set<RunId>> needed() {
    return bus.request(Builds.UNFINISHED, new Builds.AskUnfinished())
        .map(unfinished ->
            unfinished.items().stream().map(BuildRun::id).collect(Collectors.toSet()));
  }

  /** Deletes a run that is over, and ends another one. */
  private Future<Boolean> deleted(Run run) {
    Future<?> done =
        run.status().isOver()
            ? bus.request(PipelineRuns.DELETE, new PipelineRuns.Delete(run.id()))
            : bus.request(
                PipelineRuns.COMMAND,
                new PipelineRuns.Command(run.id(), PipelineRuns.Verb.STOP, List.of()));
    return done.map(run.status().isOver())
        .recover(failure -> {
          Problem problem = Problem.of(failure);
          boolean gone = problem instanceof Problem.NotFound;
          if (!gone) {
            LOG.warn(
                "could not delete run {} of build {}: {}",
                run.id(),
                run.pipeline(),
                problem.detail());
          }
          return Future.succeededFuture(gone);
        });
  }
}
