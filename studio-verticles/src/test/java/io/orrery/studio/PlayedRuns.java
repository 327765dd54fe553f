package io.orrery.studio;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.HostMounts;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The owner of runs, played: it takes runs, and they have the status that a test gives them. */
public final class PlayedRuns {
  public final Map<RunId, RunSpec> taken = new ConcurrentHashMap<>();
  public final Map<RunId, RunStatus> statuses = new ConcurrentHashMap<>();
  private final Bus bus;

  /** Done while a run is taken, before that is answered. */
  public volatile Function<RunId, Future<?>> meanwhile = run -> Future.succeededFuture();

  /**
   * @param fails asked before and after each run is taken
   */
  public PlayedRuns(Bus bus, BooleanSupplier fails) {
    this.bus = bus;
    bus.serve(
        PipelineRuns.PLATFORMS,
        asked ->
            Future.succeededFuture(
                new PipelineRuns.Platforms(List.of("local"), List.of(), HostMounts.ANY)));
    bus.serve(
        PipelineRuns.CREATE,
        asked -> {
          if (fails.getAsBoolean()) {
            return away();
          }
          if (taken.putIfAbsent(asked.spec().id(), asked.spec()) == null) {
            statuses.put(asked.spec().id(), RunStatus.RUNNING);
          }
          return meanwhile
              .apply(asked.spec().id())
              .compose(done -> fails.getAsBoolean() ? away() : Future.succeededFuture(new Done()));
        });
    bus.serve(
        PipelineRuns.COMMAND,
        asked -> {
          if (asked.verb() != PipelineRuns.Verb.STOP || !statuses.containsKey(asked.id())) {
            return Future.failedFuture(
                new Problem.NotFound("There is no run " + asked.id() + ".").toException());
          }
          end(asked.id(), RunStatus.STOPPED);
          return Future.failedFuture(new Problem.Conflict("no view of a played run").toException());
        });
    bus.serve(
        PipelineRuns.STATUSES,
        asked ->
            Future.succeededFuture(
                new PipelineRuns.Statuses(
                    asked.ids().stream()
                        .filter(statuses::containsKey)
                        .map(id -> new PipelineRuns.StatusOf(id, statuses.get(id)))
                        .toList())));
  }

  private static <T> Future<T> away() {
    return Future.failedFuture(
        new Problem.Unavailable("away", Duration.ofSeconds(1)).toException());
  }

  /** Gives a run a status, and says so. */
  public void end(RunId run, RunStatus status) {
    statuses.put(run, status);
    bus.publish(PipelineRuns.CHANGED, new PipelineRuns.Changed(run));
  }
}
