package io.orrery.studio.notebook;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Event;
import io.orrery.core.bus.contract.Notebooks.ListNotebooks;
import io.orrery.core.bus.contract.Notebooks.Stopped;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of notebooks, of their shares and of their events. */
public final class NotebookTable {
  public static final Migrations MIGRATIONS =
      new Migrations("notebooks", NotebookTable.class, List.of("0001-notebooks.sql"));

  private static final String COLUMNS =
      "name, project, owner, document, created_at, changed_at, revision, audience, epoch,"
          + " generation, wanted, used_at, warned_at, seen, seen_at, want";

  /** Those of a person, and those that are shared with one; more may follow. */
  private static final String SHARED =
      "(owner = ? or name in (select notebook from notebook_shares where user_name = ?)";

  private final Store store;

  NotebookTable(Store store) {
    this.store = store;
  }

  /**
   * A stored notebook.
   *
   * @param generation of its program: each start is another one
   * @param wanted whether its program is to run
   * @param seen the status that was seen last, at {@code seenAt}
   * @param epoch of the passes that are good; routers may not know of it yet
   * @param want of the present generation, with the route that was ordered last
   */
  record NotebookRow(
      NotebookName name,
      ProjectName project,
      String owner,
      String document,
      Instant createdAt,
      Instant changedAt,
      long revision,
      String audience,
      long epoch,
      long generation,
      boolean wanted,
      Instant usedAt,
      @Nullable Instant warnedAt,
      NotebookStatus seen,
      Instant seenAt,
      Want want) {
    NotebookRow with(String text, Instant now, long nextEpoch) {
      return new NotebookRow(
          name,
          project,
          owner,
          text,
          createdAt,
          now,
          revision + 1,
          audience,
          nextEpoch,
          generation,
          wanted,
          usedAt,
          warnedAt,
          seen,
          seenAt,
          want);
    }

    NotebookRow running(long next, Want nextWant, Instant now) {
      return new NotebookRow(
          name, project, owner, document, createdAt, changedAt, revision, audience, epoch, next,
          true, now, null, seen, seenAt, nextWant);
    }

    NotebookRow stopped() {
      return new NotebookRow(
          name,
          project,
          owner,
          document,
          createdAt,
          changedAt,
          revision,
          audience,
          epoch,
          generation,
          false,
          usedAt,
          warnedAt,
          seen,
          seenAt,
          want.with(0));
    }

    NotebookRow used(Instant at, @Nullable Instant warned) {
      return new NotebookRow(
          name,
          project,
          owner,
          document,
          createdAt,
          changedAt,
          revision,
          audience,
          epoch,
          generation,
          wanted,
          at,
          warned,
          seen,
          seenAt,
          want);
    }
  }

  Future<Optional<NotebookRow>> find(NotebookName name) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from notebooks where name = ?", name.value()),
            NotebookTable::row)
        .map(rows -> rows.stream().findFirst());
  }

  /** The notebook; fails with NotFound. */
  Future<NotebookRow> get(NotebookName name) {
    return find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no notebook " + name + ".").toException()));
  }

  Future<List<NotebookRow>> all() {
    return store.read(
        Statement.of("select " + COLUMNS + " from notebooks order by name"), NotebookTable::row);
  }

  /** A page in the order of the names, with one more than the limit when there are more. */
  Future<List<NotebookRow>> page(ListNotebooks wanted) {
    Where where =
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .contains("name", wanted.text())
            .equal("project", wanted.project() == null ? null : wanted.project().value())
            .equal("owner", wanted.owner());
    List<ProjectName> among = wanted.among();
    if (among != null) {
      List<@Nullable Object> arguments = new ArrayList<>(Collections.nCopies(2, wanted.user()));
      among.forEach(project -> arguments.add(project.value()));
      where.and(
          SHARED + (among.isEmpty() ? "" : " or project in " + Statement.marks(among.size())) + ")",
          arguments.toArray());
    }
    return store.read(
        where.page("select " + COLUMNS + " from notebooks", "name", wanted.limit()),
        NotebookTable::row);
  }

  static Statement insert(NotebookRow row) {
    return Statement.of(
            "insert into notebooks ("
                + COLUMNS
                + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " on conflict (name) do nothing",
            row.name().value(),
            row.project().value(),
            row.owner(),
            row.document(),
            row.createdAt().toEpochMilli(),
            row.changedAt().toEpochMilli(),
            row.revision(),
            row.audience(),
            row.epoch(),
            row.generation(),
            row.wanted() ? 1L : 0L,
            row.usedAt().toEpochMilli(),
            millis(row.warnedAt()),
            row.seen().name(),
            row.seenAt().toEpochMilli(),
            Json.write(row.want()))
        .expecting(1);
  }

  /** The statement that stores a changed notebook; it fails when another change came first. */
  static Statement update(NotebookRow row, NotebookRow before) {
    return Statement.of(
            "update notebooks set document = ?, changed_at = ?, revision = ?, epoch = ?,"
                + " generation = ?, wanted = ?, used_at = ?, warned_at = ?, want = ?"
                + " where name = ? and audience = ? and revision = ? and generation = ?"
                + " and wanted = ? and epoch = ?",
            row.document(),
            row.changedAt().toEpochMilli(),
            row.revision(),
            row.epoch(),
            row.generation(),
            row.wanted() ? 1L : 0L,
            row.usedAt().toEpochMilli(),
            millis(row.warnedAt()),
            Json.write(row.want()),
            row.name().value(),
            before.audience(),
            before.revision(),
            before.generation(),
            before.wanted() ? 1L : 0L,
            before.epoch())
        .expecting(1);
  }

  /** The statement that notes what was ordered, unless another change came first. */
  static Statement ordered(NotebookRow row, Want want) {
    return Statement.of(
        "update notebooks set want = ? where name = ? and audience = ? and generation = ?"
            + " and wanted = ? and epoch = ?",
        Json.write(want),
        row.name().value(),
        row.audience(),
        row.generation(),
        row.wanted() ? 1L : 0L,
        row.epoch());
  }

  /** The statement that notes a use, unless the notebook has been started again meanwhile. */
  static Statement use(NotebookRow row) {
    return Statement.of(
        "update notebooks set used_at = ?, warned_at = ? where name = ? and audience = ?"
            + " and generation = ? and used_at <= ?",
        row.usedAt().toEpochMilli(),
        millis(row.warnedAt()),
        row.name().value(),
        row.audience(),
        row.generation(),
        row.usedAt().toEpochMilli());
  }

  /** The statement that fails when a notebook has been used since it was read. */
  static Statement unused(NotebookRow row) {
    return Statement.of(
            "update notebooks set used_at = used_at where name = ? and used_at = ?",
            row.name().value(),
            row.usedAt().toEpochMilli())
        .expecting(1);
  }

  /** The statement that notes what was seen. */
  static Statement see(NotebookRow row, NotebookStatus status, Instant at) {
    return Statement.of(
        "update notebooks set seen = ?, seen_at = ? where name = ? and audience = ?",
        status.name(),
        at.toEpochMilli(),
        row.name().value(),
        row.audience());
  }

  /** The statements that add an event, and drop the oldest. */
  static List<Statement> event(
      NotebookName name, Instant at, String state, @Nullable String reason) {
    return List.of(
        Statement.of(
            "insert into notebook_events (notebook, number, at, state, reason)"
                + " select cast(? as text), coalesce(max(number), 0) + 1, cast(? as bigint),"
                + " cast(? as text), cast(? as text) from notebook_events where notebook = ?",
            name.value(),
            at.toEpochMilli(),
            state,
            reason,
            name.value()),
        Statement.of(
            "delete from notebook_events where notebook = ? and number <="
                + " (select max(number) from notebook_events where notebook = ?) - "
                + Notebooks.KEPT_EVENTS,
            name.value(),
            name.value()));
  }

  /** Those that are stopped since a time, with when they were seen to be. */
  Future<List<Stopped>> stopped(Instant before) {
    return store.read(
        Statement.of(
            "select name, project, seen_at from notebooks where wanted = 0 and seen = ?"
                + " and seen_at < ? and used_at < ? order by name",
            NotebookStatus.STOPPED.name(),
            before.toEpochMilli(),
            before.toEpochMilli()),
        row ->
            new Stopped(
                new NotebookName(row.text("name")),
                new ProjectName(row.text("project")),
                row.instant("seen_at")));
  }

  /** A notebook that is stopped since a time; empty when it is not. */
  Future<Optional<Stopped>> stopped(NotebookName name, Instant before) {
    return find(name)
        .map(found ->
            found
                .filter(row ->
                    !row.wanted()
                        && row.seen() == NotebookStatus.STOPPED
                        && row.seenAt().isBefore(before)
                        && row.usedAt().isBefore(before))
                .map(row -> new Stopped(name, row.project(), row.seenAt())));
  }

  /** The statement that fails when a notebook is not stopped since a time. */
  static Statement requireStopped(NotebookName name, Instant before) {
    return Statement.of(
            "update notebooks set wanted = 0 where name = ? and wanted = 0 and seen = ?"
                + " and seen_at < ? and used_at < ?",
            name.value(),
            NotebookStatus.STOPPED.name(),
            before.toEpochMilli(),
            before.toEpochMilli())
        .expecting(1);
  }

  static List<Statement> delete(NotebookName name) {
    return List.of(
        Statement.of("delete from notebooks where name = ?", name.value()).expecting(1),
        Statement.of("delete from notebook_shares where notebook = ?", name.value()),
        Statement.of("delete from notebook_events where notebook = ?", name.value()));
  }

  Future<List<Event>> events(NotebookName name) {
    return store.read(
        Statement.of(
            "select number, at, state, reason from notebook_events where notebook = ?"
                + " order by number",
            name.value()),
        row ->
            new Event(
                row.integer("number"),
                row.instant("at"),
                row.text("state"),
                row.textOrNull("reason")));
  }

  Future<Void> write(List<Statement> statements) {
    return store.write(statements);
  }

  private static @Nullable Long millis(@Nullable Instant at) {
    return at == null ? null : at.toEpochMilli();
  }

  private static NotebookRow row(Row row) {
    return new NotebookRow(
        new NotebookName(row.text("name")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("document"),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"),
        row.text("audience"),
        row.integer("epoch"),
        row.integer("generation"),
        row.integer("wanted") != 0,
        row.instant("used_at"),
        row.instantOrNull("warned_at"),
        NotebookStatus.valueOf(row.text("seen")),
        row.instant("seen_at"),
        Json.read(row.text("want"), Want.class));
  }
}
