package io.orrery.studio.environment;

import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.studio.environment.EnvironmentChoices.Environment;
import io.orrery.studio.retention.OldObjects;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The environments that nothing names, and that were not chosen lately either. */
public final class UnusedEnvironments implements OldObjects {
  private final OldObjects unnamed;
  private final Store store;
  private final EnvironmentChoices choices;

  /**
   * Those of the server that builds.
   *
   * @param unnamed the directories, with what names each
   */
  public UnusedEnvironments(OldObjects unnamed, Store store) {
    this.unnamed = unnamed;
    this.store = store;
    this.choices = new EnvironmentChoices(store);
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return unnamed
        .find(before, cursor, limit)
        .compose(found ->
            choices
                .all()
                .map(chosen ->
                    new Found(
                        found.items().stream()
                            .map(object -> since(object, chosen.get(key(object)), before))
                            .flatMap(Optional::stream)
                            .toList(),
                        found.next(),
                        found.unread())));
  }

  private static Environment key(OldObject object) {
    return new Environment(Objects.requireNonNull(object.project()), object.name());
  }

  /** The environment with its last choice; empty when that is not old. */
  private static Optional<OldObject> since(
      OldObject object, @Nullable Instant chosen, Instant before) {
    if (chosen == null || !chosen.isAfter(object.since()) || isIncomplete(object, before)) {
      return Optional.of(object);
    }
    return chosen.isBefore(before)
        ? Optional.of(
            new OldObject(
                object.kind(),
                object.name(),
                object.project(),
                object.count(),
                chosen,
                object.usedBy()))
        : Optional.empty();
  }

  /**
   * Whether a directory is old whatever its age, since it was never complete or its removal was cut
   * short. A choice of it is noted before it is refused, and keeps nothing.
   */
  private static boolean isIncomplete(OldObject object, Instant before) {
    return !object.since().isBefore(before);
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    Environment environment = key(object);
    return choices
        .last(environment.project(), environment.digest())
        .compose(last -> {
          if (last.isPresent() && !last.get().isBefore(before) && !isIncomplete(object, before)) {
            throw new Problem.Conflict("%s was chosen meanwhile.".formatted(object.name()))
                .toException();
          }
          return unnamed.remove(by, object, before);
        })
        .compose(gone ->
            store.write(
                List.of(EnvironmentChoices.forget(environment.project(), environment.digest()))));
  }
}
