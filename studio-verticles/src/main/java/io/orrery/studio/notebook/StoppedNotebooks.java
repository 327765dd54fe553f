package io.orrery.studio.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Stopped;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.retention.OldObjects;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The notebooks that are stopped since long. Their owners' files stay when they are removed. */
public final class StoppedNotebooks implements OldObjects {
  private final Bus bus;

  public StoppedNotebooks(Bus bus) {
    this.bus = bus;
  }

  @Override
  public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
    return bus.request(Notebooks.STOPPED, new Notebooks.AskStopped(before))
        .map(all ->
            new Found(
                all.items().stream()
                    .map(each ->
                        new OldObject(
                            Kind.NOTEBOOKS,
                            each.name().value(),
                            each.project(),
                            1,
                            each.since(),
                            null))
                    .toList(),
                null));
  }

  @Override
  public Future<?> remove(Actor by, OldObject object, Instant before) {
    return bus.request(
        Notebooks.DELETE_STOPPED,
        new Notebooks.DeleteStopped(by, new NotebookName(object.name()), before));
  }

  /** Serves which notebooks are stopped, and deletes them. */
  static Future<?> serve(Bus bus, NotebookTable table, AuditedChanges changes) {
    return Future.all(
        bus.serve(
            Notebooks.STOPPED,
            asked -> table.stopped(asked.before()).map(Notebooks.StoppedList::new)),
        bus.serve(Notebooks.DELETE_STOPPED, asked -> delete(bus, table, changes, asked)));
  }

  private static Future<Done> delete(
      Bus bus, NotebookTable table, AuditedChanges changes, Notebooks.DeleteStopped asked) {
    return table
        .stopped(asked.name(), asked.before())
        .compose(found -> {
          Stopped notebook =
              found.orElseThrow(() ->
                  new Problem.Conflict(
                          "Notebook %s has been started again.".formatted(asked.name()))
                      .toException());
          List<Statement> statements = new ArrayList<>();
          statements.add(NotebookTable.requireStopped(asked.name(), asked.before()));
          statements.addAll(NotebookTable.delete(asked.name()));
          return changes.commitObject(
              asked.by(),
              new What(
                  "delete",
                  "notebook",
                  asked.name().value(),
                  notebook.project(),
                  "stopped since " + notebook.since()),
              statements);
        })
        .compose(
            deleted -> new NotebookOrders(bus, table).end(NotebookFreezer.workload(asked.name())))
        .map(new Done());
  }
}
