package io.orrery.studio.build;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.studio.build.LastImages.BuildRef;
import io.orrery.studio.retention.OldObjects;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The builds of images that are over. Those of environments are none of them: programs start by the
 * name of such a build. One whose image a service takes by its name is used.
 */
public final class EndedBuilds implements OldObjects {
  private final Bus bus;
  private final BuildTable table;
  private final LastImages images;

  public EndedBuilds(Bus bus, Store store) {
    this.bus = bus;
    this.table = new BuildTable(store);
    this.images = new LastImages(store);
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return Future.all(table.among(null), images.users())
        .map(read -> {
          List<ImageBuild> all = read.resultAt(0);
          Map<BuildRef, String> users = read.resultAt(1);
          return new Found(
              all.stream().flatMap(build -> old(build, before, users).stream()).toList(), null);
        });
  }

  private static Optional<OldObject> old(
      ImageBuild build, Instant before, Map<BuildRef, String> users) {
    Instant ended = build.endedAt();
    if (ended == null
        || !ended.isBefore(before)
        || !build.status().isOver()
        || build.spec().isEnvironment()) {
      return Optional.empty();
    }
    return Optional.of(
        new OldObject(
            Kind.BUILDS,
            build.name(),
            build.project(),
            1,
            ended,
            users.get(new BuildRef(build.project(), build.name()))));
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    return Future.all(bus.request(Builds.GET, new Builds.GetBuild(object.name())), images.users())
        .compose(read -> {
          ImageBuild build = read.resultAt(0);
          Map<BuildRef, String> users = read.resultAt(1);
          OldObject present =
              old(build, before, users)
                  .orElseThrow(() ->
                      new Problem.Conflict("Build %s was started again.".formatted(object.name()))
                          .toException());
          if (present.usedBy() != null) {
            throw new Problem.Conflict(
                    "Build %s is used by %s.".formatted(object.name(), present.usedBy()))
                .toException();
          }
          return bus.request(Builds.DELETE, new Builds.DeleteBuild(by, object.name()));
        });
  }
}
