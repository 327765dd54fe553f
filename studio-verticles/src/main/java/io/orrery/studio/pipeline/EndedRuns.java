package io.orrery.studio.pipeline;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.run.RunId;
import io.orrery.core.sql.Store;
import io.orrery.studio.retention.OldObjects;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The runs of pipelines that are over. */
public final class EndedRuns implements OldObjects {
  private final Bus bus;
  private final PipelineTable table;

  public EndedRuns(Bus bus, Store store) {
    this.bus = bus;
    this.table = new PipelineTable(store);
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return bus.request(PipelineRuns.ENDED, new PipelineRuns.AskEnded(before, cursor, limit))
        .compose(page ->
            Future.all(page.items().stream().map(this::old).toList())
                .map(all -> new Found(all.<OldObject>list(), page.next())));
  }

  private Future<OldObject> old(Run run) {
    return table
        .users(run.id())
        .map(users ->
            new OldObject(
                Kind.RUNS,
                run.id().value(),
                run.project(),
                1,
                Objects.requireNonNullElse(run.endedAt(), run.createdAt()),
                users.isEmpty() ? null : String.join(", ", users)));
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    return bus.request(Pipelines.DELETE_RUN, new Pipelines.DeleteRun(by, new RunId(object.name())));
  }
}
