package io.orrery.studio.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.EventsOf;
import io.orrery.core.bus.contract.Notebooks.ListNotebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Notebooks.NotebookPage;
import io.orrery.core.bus.contract.Notebooks.OfNotebook;
import io.orrery.core.bus.contract.Notebooks.PutDone;
import io.orrery.core.bus.contract.Notebooks.PutNotebook;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.WriteConflict;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.environment.FrozenEnvironments;
import io.orrery.studio.notebook.NotebookDocumentReader.Reading;
import io.orrery.studio.notebook.NotebookFreezer.Identity;
import io.orrery.studio.notebook.NotebookTable.NotebookRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers questions about notebooks. */
final class NotebookHandler {
  private static final int AUDIENCE_BYTES = 8;

  private final Bus bus;
  private final AuditedChanges changes;
  private final NotebookTable table;
  private final NotebookFreezer freezer;
  private final NotebookCheck check;
  private final NotebookOrders orders;
  private final RandomGenerator random;

  NotebookHandler(
      Bus bus,
      AuditedChanges changes,
      NotebookTable table,
      NotebookFreezer freezer,
      NotebookCheck check,
      RandomGenerator random) {
    this.bus = bus;
    this.changes = changes;
    this.table = table;
    this.freezer = freezer;
    this.check = check;
    this.orders = new NotebookOrders(bus, table);
    this.random = random;
  }

  /** Completes when all addresses are served. */
  Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Notebooks.LIST, this::list),
            bus.serve(Notebooks.GET, asked -> table.get(asked.name()).compose(this::shown)),
            bus.serve(Notebooks.PUT, this::put),
            bus.serve(Notebooks.DELETE, this::delete),
            bus.serve(
                Notebooks.START,
                asked -> WriteConflict.retried(() -> run(asked, "start")).compose(this::shown)),
            bus.serve(Notebooks.RESET, asked -> run(asked, "reset").compose(this::shown)),
            bus.serve(
                Notebooks.STOP,
                asked -> WriteConflict.retried(() -> stop(asked)).compose(this::shown)),
            bus.serve(
                Notebooks.RENEW,
                asked -> WriteConflict.retried(() -> renew(asked)).compose(this::shown)),
            bus.serve(Notebooks.EVENTS, this::events)));
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<NotebookPage> list(ListNotebooks asked) {
    return table
        .page(asked)
        .compose(rows -> {
          boolean more = rows.size() > asked.limit();
          List<NotebookRow> items = more ? rows.subList(0, asked.limit()) : rows;
          return shown(items)
              .map(shown -> new NotebookPage(shown, more ? items.getLast().name().value() : null));
        });
  }

  private Future<Notebook> shown(NotebookRow row) {
    return shown(List.of(row)).map(List::getFirst);
  }

  private Future<List<Notebook>> shown(List<NotebookRow> rows) {
    return orders
        .present(rows)
        .map(present ->
            rows.stream()
                .map(row -> notebook(row, present.get(NotebookFreezer.workload(row.name()))))
                .toList());
  }

  private Notebook notebook(NotebookRow row, @Nullable Workload workload) {
    NotebookDocument document = read(row);
    Instant now = changes.now();
    NotebookState state =
        NotebookState.of(
            row.wanted(),
            row.generation(),
            workload,
            row.usedAt(),
            new IdleModel(document.idle()),
            now);
    return new Notebook(
        row.name(),
        row.project(),
        row.owner(),
        row.document(),
        row.createdAt(),
        row.changedAt(),
        row.revision(),
        document.ide(),
        document.share(),
        row.audience(),
        row.epoch(),
        state.told(state.status() == row.seen() ? row.seenAt() : now));
  }

  private static NotebookDocument read(NotebookRow row) {
    return NotebookDocumentReader.read(row.name(), row.owner(), row.document()).document();
  }

  /** The events of the notebook, the oldest first. */
  private Future<Notebooks.Events> events(EventsOf asked) {
    return table
        .get(asked.name())
        .compose(row -> table.events(row.name()))
        .map(Notebooks.Events::new);
  }

  // ---- the document --------------------------------------------------------------------------

  private Future<PutDone> put(PutNotebook wanted) {
    return table
        .find(wanted.name())
        .compose(found -> {
          if (found.isEmpty() && !wanted.creates()) {
            throw new Problem.NotFound("There is no notebook " + wanted.name() + ".").toException();
          }
          if (found.isPresent() && wanted.creates()) {
            throw new Problem.Conflict("There is a notebook " + wanted.name() + " already.")
                .toException();
          }
          String owner = found.map(NotebookRow::owner).orElse(wanted.by().name());
          Reading reading = NotebookDocumentReader.read(wanted.name(), owner, wanted.document());
          return found.isPresent() ? change(wanted, reading, found.get()) : create(wanted, reading);
        });
  }

  private Future<PutDone> create(PutNotebook wanted, Reading reading) {
    if (wanted.ifRevision() != null) {
      throw new Problem.Conflict("There is no notebook " + wanted.name() + ".").toException();
    }
    byte[] audience = new byte[AUDIENCE_BYTES];
    random.nextBytes(audience);
    Identity identity =
        new Identity(
            wanted.name(),
            wanted.project(),
            wanted.by().name(),
            HexFormat.of().formatHex(audience),
            0);
    return frozen(identity, reading.document(), 1)
        .compose(want -> {
          if (wanted.dryRun()) {
            return Future.succeededFuture(new PutDone(null, Outcome.CREATED, reading.notices()));
          }
          Instant now = changes.now();
          NotebookRow row =
              new NotebookRow(
                  wanted.name(),
                  wanted.project(),
                  identity.owner(),
                  wanted.document(),
                  now,
                  now,
                  1,
                  identity.audience(),
                  0,
                  1,
                  true,
                  now,
                  null,
                  NotebookStatus.STARTING,
                  now,
                  want);
          List<Statement> statements = new ArrayList<>();
          statements.add(NotebookTable.insert(row));
          statements.addAll(NotebookShares.share(row.name(), reading.document().share()));
          statements.addAll(
              NotebookTable.event(row.name(), now, "STARTING", "created by " + wanted.by().name()));
          return changes
              .commitObject(wanted.by(), what("create", row, "started"), statements)
              .compose(stored -> orders.tell(row))
              .compose(told -> shown(row))
              .map(shown -> new PutDone(shown, Outcome.CREATED, reading.notices()));
        });
  }

  /** A checked specification of a generation. */
  private Future<Want> frozen(Identity identity, NotebookDocument document, long generation) {
    return check
        .settings(identity.project())
        .map(project -> freezer.freeze(identity, document, project, generation))
        .compose(want -> FrozenEnvironments.freeze(bus, want))
        .compose(want -> check.check(want, document).map(want));
  }

  private Future<PutDone> change(PutNotebook wanted, Reading reading, NotebookRow before) {
    RevisionCheck.require("Notebook " + before.name(), wanted.ifRevision(), before.revision());
    String project = Json.parse(wanted.document()).path("project").asText("");
    if (!project.isEmpty() && !project.equals(before.project().value())) {
      throw new Problem.Refused(
              new Finding(
                  "/project",
                  "notebook %s belongs to the project %s, and stays there"
                      .formatted(before.name(), before.project())))
          .toException();
    }
    boolean same = Json.parse(before.document()).equals(Json.parse(wanted.document()));
    if (same) {
      return shown(before).map(shown -> new PutDone(shown, Outcome.UNCHANGED, reading.notices()));
    }
    NotebookDocument document = reading.document();
    NotebookDocument old = read(before);
    boolean someoneLeft = !document.share().containsAll(old.share());
    long epoch = someoneLeft ? before.epoch() + 1 : before.epoch();
    List<String> notices =
        before.wanted() && needsReset(old, document)
            ? Stream.concat(
                    reading.notices().stream(),
                    Stream.of("its program has the change after a reset"))
                .toList()
            : reading.notices();
    // Who may enter can be changed whether or not its program could start now.
    Future<?> startable =
        needsReset(old, document)
            ? frozen(identity(before), document, before.generation())
            : Future.succeededFuture();
    return startable.compose(checked -> {
      if (wanted.dryRun()) {
        return shown(before).map(shown -> new PutDone(shown, Outcome.CHANGED, notices));
      }
      NotebookRow row = before.with(wanted.document(), changes.now(), epoch);
      List<Statement> statements = new ArrayList<>();
      statements.add(NotebookTable.update(row, before));
      statements.addAll(NotebookShares.share(row.name(), document.share()));
      return changes
          .commitObject(wanted.by(), what("change", row, "revision " + row.revision()), statements)
          .compose(stored ->
              someoneLeft
                  ? orders.endPasses(row).compose(check::inForce)
                  : Future.<Void>succeededFuture())
          .compose(told -> shown(row))
          .map(shown -> new PutDone(shown, Outcome.CHANGED, notices));
    });
  }

  /** Whether the program would be started in another way. */
  private static boolean needsReset(NotebookDocument old, NotebookDocument document) {
    return !withoutPeople(old).equals(withoutPeople(document));
  }

  private static NotebookDocument withoutPeople(NotebookDocument document) {
    return new NotebookDocument(
        document.ide(),
        document.cluster(),
        document.image(),
        document.resources(),
        document.environment(),
        document.mounts(),
        document.open(),
        List.of(),
        document.keys(),
        Duration.ZERO);
  }

  private static Identity identity(NotebookRow row) {
    return new Identity(row.name(), row.project(), row.owner(), row.audience(), row.epoch());
  }

  // ---- acting --------------------------------------------------------------------------------

  private Future<NotebookRow> run(OfNotebook asked, String action) {
    return table
        .get(asked.name())
        .compose(row -> {
          if (row.wanted() && action.equals("start")) {
            return Future.succeededFuture(row);
          }
          long generation = row.generation() + 1;
          return frozen(identity(row), read(row), generation)
              .compose(want -> {
                Instant now = changes.now();
                NotebookRow next = row.running(generation, want, now);
                List<Statement> statements = new ArrayList<>();
                statements.add(NotebookTable.update(next, row));
                statements.addAll(
                    NotebookTable.event(
                        row.name(),
                        now,
                        action.equals("reset") ? "RESET" : "STARTED",
                        "by " + asked.by().name()));
                return changes
                    .commitObject(
                        asked.by(), what(action, row, "generation " + generation), statements)
                    .compose(stored -> orders.tell(next))
                    .map(next);
              });
        });
  }

  private Future<NotebookRow> stop(OfNotebook asked) {
    return table
        .get(asked.name())
        .compose(row -> {
          if (!row.wanted()) {
            return Future.succeededFuture(row);
          }
          NotebookRow next = row.stopped();
          List<Statement> statements = new ArrayList<>();
          statements.add(NotebookTable.update(next, row));
          statements.addAll(
              NotebookTable.event(row.name(), changes.now(), "STOP", "by " + asked.by().name()));
          return changes
              .commitObject(asked.by(), what("stop", row, ""), statements)
              .compose(stored -> orders.tell(next))
              .map(next);
        });
  }

  private Future<NotebookRow> renew(OfNotebook asked) {
    return table
        .get(asked.name())
        .compose(row -> {
          if (!row.wanted()) {
            throw new Problem.Conflict("Notebook %s does not run: start it.".formatted(row.name()))
                .toException();
          }
          Instant now = changes.now();
          NotebookRow next = row.used(now, null);
          List<Statement> statements = new ArrayList<>();
          statements.add(NotebookTable.use(next).expecting(1));
          statements.addAll(
              NotebookTable.event(row.name(), now, "RENEWED", "by " + asked.by().name()));
          return changes.commitObject(asked.by(), what("renew", row, ""), statements).map(next);
        });
  }

  private Future<Done> delete(OfNotebook asked) {
    return table
        .get(asked.name())
        .compose(row ->
            changes
                .commitObject(asked.by(), what("delete", row, ""), NotebookTable.delete(row.name()))
                .compose(deleted -> orders.end(NotebookFreezer.workload(row.name()))))
        .map(new Done());
  }

  private static What what(String action, NotebookRow row, String detail) {
    return new What(action, "notebook", row.name().value(), row.project(), detail);
  }
}
