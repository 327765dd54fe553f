package io.orrery.orchestrator.retention;

import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions;
import io.orrery.core.sql.TextMentions.Form;
import io.orrery.core.sql.TextMentions.Place;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The frozen specifications of the orchestrator, in which environments, images and code are named.
 */
final class StoredNames {
  /** The texts that name what runs, or may run again. */
  static final List<Place> PLACES =
      List.of(
          new Place("experiment", "experiments", "id", "spec"),
          new Place("run", "runs", "run", "spec"),
          new Place("workload", "workloads", "workload", "spec"));

  private final TextMentions mentions;
  private final Form form;

  StoredNames(Store store, Form form) {
    this.mentions = new TextMentions(store, PLACES);
    this.form = form;
  }

  /** The objects with what names them. */
  Future<List<OldObject>> marked(List<OldObject> objects) {
    return mentions
        .of(objects.stream().map(OldObject::name).toList(), form)
        .map(named ->
            objects.stream().map(object -> object.usedBy(named.get(object.name()))).toList());
  }

  /** Fails with Conflict when something names an object. */
  Future<Void> requireUnnamed(OldObject object) {
    return marked(List.of(object))
        .map(found -> {
          Optional.ofNullable(found.getFirst().usedBy())
              .ifPresent(user -> {
                throw new Problem.Conflict("%s is used by %s.".formatted(object.name(), user))
                    .toException();
              });
          return null;
        });
  }
}
