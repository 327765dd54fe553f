package io.orrery.studio.build;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.studio.retention.OldObjects;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The builds of images that are over. Those of environments are none of them: programs start by the
 * name of such a build.
 */
public final class EndedBuilds implements OldObjects {
  private final Bus bus;
  private final BuildTable table;

  public EndedBuilds(Bus bus, Store store) {
    this.bus = bus;
    this.table = new BuildTable(store);
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return table
        .among(null)
        .map(all ->
            new Found(all.stream().flatMap(build -> old(build, before).stream()).toList(), null));
  }

  private static Optional<OldObject> old(ImageBuild build, Instant before) {
    Instant ended = build.endedAt();
    if (ended == null
        || !ended.isBefore(before)
        || !build.status().isOver()
        || build.spec().isEnvironment()) {
      return Optional.empty();
    }
    return Optional.of(new OldObject(Kind.BUILDS, build.name(), build.project(), 1, ended, null));
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    return bus.request(Builds.GET, new Builds.GetBuild(object.name()))
        .compose(build -> {
          if (old(build, before).isEmpty()) {
            throw new Problem.Conflict("Build %s was started again.".formatted(object.name()))
                .toException();
          }
          return bus.request(Builds.DELETE, new Builds.DeleteBuild(by, object.name()));
        });
  }
}
