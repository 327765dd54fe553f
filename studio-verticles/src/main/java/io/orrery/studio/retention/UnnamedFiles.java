package io.orrery.studio.retention;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions;
import io.orrery.core.sql.TextMentions.Form;
import io.orrery.core.sql.TextMentions.Place;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a kind that the server that builds has, and that no document and no frozen
 * specification names. That server looks into what runs, and this class into what people have
 * stored; both look again before anything is removed.
 */
public final class UnnamedFiles implements OldObjects {
  private static final List<Place> PLACES =
      List.of(
          new Place("build", "builds", "name", List.of("digest", "spec")),
          new Place("service", "services", "name", "document"),
          new Place("service", "service_stages", "service || ' ' || stage", "want"),
          new Place("service", "upgrades", "service", List.of("before_want", "rollout")),
          new Place(
              "service",
              "service_revisions",
              "service || ' ' || revision",
              List.of("document", "image")),
          new Place("notebook", "notebooks", "name", List.of("document", "want")),
          new Place("template", "templates", "name", "document"),
          new Place("pipeline", "pipelines", "name", "document"),
          new Place("pipeline", "pipeline_versions", "pipeline || ' ' || version", "document"),
          new Place("due run", "due_runs", "id", "spec"));

  private final Kind kind;
  private final Bus bus;
  private final AuditedChanges changes;
  private final @Nullable Form form;
  private final TextMentions mentions;

  /**
   * The files of a kind.
   *
   * @param form of the names by which documents know them; null when none names them
   */
  public UnnamedFiles(
      Kind kind, Bus bus, Store store, AuditedChanges changes, @Nullable Form form) {
    this.kind = kind;
    this.bus = bus;
    this.changes = changes;
    this.form = form;
    this.mentions = new TextMentions(store, PLACES);
  }

  /** The texts of the studio that may name such files, those of former versions too. */
  public static List<Place> places() {
    return PLACES;
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return bus.request(OldFiles.FIND, new OldFiles.Find(kind, before))
        .compose(found ->
            named(found.items())
                .map(named ->
                    new Found(
                        found.items().stream()
                            .map(object ->
                                object.usedBy() == null
                                    ? object.usedBy(named.get(object.name()))
                                    : object)
                            .toList(),
                        null,
                        found.unread())));
  }

  private Future<Map<String, String>> named(List<OldObject> objects) {
    return form == null
        ? Future.succeededFuture(Map.of())
        : mentions.of(objects.stream().map(OldObject::name).toList(), form);
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    What what =
        new What(
            "delete",
            kind.word(),
            object.name(),
            object.project(),
            "unused since " + object.since());
    return named(List.of(object))
        .compose(named -> {
          if (!named.isEmpty()) {
            throw new Problem.Conflict(
                    "%s is used by %s.".formatted(object.name(), named.get(object.name())))
                .toException();
          }
          // A removal takes minutes, and files that are gone must be in the log, whatever ends it.
          return changes.commitObject(by, what, List.of());
        })
        .compose(noted ->
            bus.request(OldFiles.REMOVE, new OldFiles.Remove(object, before))
                .recover(failure ->
                    changes
                        .noteFailure(by, what, Problem.of(failure))
                        .compose(failed -> Future.failedFuture(failure))));
  }
}
