package io.orrery.studio.schedule;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Schedules.DueRun;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.bus.contract.Schedules.ListDueRuns;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of due runs, one for each pipeline and instant. */
public final class DueRunTable {
  private static final String STATE = "id, due, status, run, run_status, attempt";
  private static final String COLUMNS =
      "id, pipeline, project, due, status, attempt, run, run_status, reason, created_at,"
          + " submitted_at";

  private final Store store;

  public DueRunTable(Store store) {
    this.store = store;
  }

  /** A row as the API shows it, with the number of its runs before. */
  public record Shown(DueRun due, int attempt) {}

  // ---- reading -------------------------------------------------------------------------------

  /**
   * The due runs of a pipeline that decisions depend on, in the order of their instants: those that
   * wait, those whose runs are under way, and all from the one before the first that waits; the
   * last one when none does.
   */
  public Future<List<DueState>> deciding(PipelineName pipeline) {
    return store
        .read(
            Statement.of(
                "select "
                    + STATE
                    + " from due_runs where pipeline = ? and (moving = 1 or due >= ("
                    + "select max(past.due) from due_runs past where past.pipeline = ?"
                    + " and past.due < coalesce((select min(first.due) from due_runs first"
                    + " where first.pipeline = ? and first.moving = 1 and first.status = 'COMED'),"
                    + " 9223372036854775807)))"
                    + " order by due",
                pipeline.value(),
                pipeline.value(),
                pipeline.value()),
            DueRunTable::state)
        .map(List::copyOf);
  }

  /** The due runs that wait for the first time, and were stored before an instant. */
  public Future<List<DueState>> waitingSince(PipelineName pipeline, Instant stored) {
    return store
        .read(
            Statement.of(
                "select "
                    + STATE
                    + " from due_runs where pipeline = ? and moving = 1 and status = 'COMED'"
                    + " and attempt = 0 and created_at <= ? order by due",
                pipeline.value(),
                stored.toEpochMilli()),
            DueRunTable::state)
        .map(List::copyOf);
  }

  /** The frozen specification of a due run; empty when it does not wait any more. */
  public Future<Optional<RunSpec>> spec(String id) {
    return store
        .read(
            Statement.of("select spec from due_runs where id = ? and status = 'COMED'", id),
            row -> Json.read(row.text("spec"), RunSpec.class))
        .map(rows -> rows.stream().findFirst());
  }

  /** The instants of a span, both ends included, that have a row. */
  public Future<Set<Instant>> present(PipelineName pipeline, Instant from, Instant to) {
    return store
        .read(
            Statement.of(
                "select due from due_runs where pipeline = ? and due >= ? and due <= ?",
                pipeline.value(),
                from.toEpochMilli(),
                to.toEpochMilli()),
            row -> row.instant("due"))
        .map(HashSet::new);
  }

  /** The runs whose status may differ from what the rows say. */
  public Future<List<RunId>> unsettled(int most) {
    return store.read(
        Statement.of(
            "select run from due_runs where status = 'CREATED' and (moving = 1 or"
                + " (run_status <> 'SUCCEEDED' and pipeline in"
                + " (select waiting.pipeline from due_runs waiting"
                + " where waiting.moving = 1 and waiting.status = 'COMED')))"
                + " order by due desc limit ?",
            most),
        row -> new RunId(row.text("run")));
  }

  /** A due run by its run, with the status of that which is known. */
  public record Followed(RunId run, PipelineName pipeline, @Nullable RunStatus status) {}

  /** The due runs with these runs. */
  public Future<List<Followed>> followed(List<RunId> runs) {
    return runs.isEmpty()
        ? Future.succeededFuture(List.of())
        : store.read(
            new Statement(
                "select run, pipeline, run_status from due_runs where status = 'CREATED'"
                    + " and run in "
                    + Statement.marks(runs.size()),
                runs.stream().<@Nullable Object>map(RunId::value).toList(),
                null),
            row ->
                new Followed(
                    new RunId(row.text("run")),
                    new PipelineName(row.text("pipeline")),
                    runStatus(row)));
  }

  /** A due run; fails with NotFound. */
  public Future<Shown> get(String id) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from due_runs where id = ?", id),
            DueRunTable::shown)
        .map(rows ->
            rows.stream()
                .findFirst()
                .orElseThrow(() ->
                    new Problem.NotFound("There is no due run '%s'.".formatted(id)).toException()));
  }

  /** A page, the latest due first, with one more than the limit when there are more. */
  public Future<List<DueRun>> page(ListDueRuns wanted) {
    PipelineName pipeline = wanted.pipeline();
    DueStatus status = wanted.status();
    Where where =
        new Where()
            .equal("pipeline", pipeline == null ? null : pipeline.value())
            .equal("status", status == null ? null : status.name())
            .in("project", wanted.among());
    String cursor = wanted.cursor();
    if (cursor != null) {
      Cursor from = Cursor.parse(cursor);
      where.and("(due < ? or (due = ? and id < ?))", from.number(), from.number(), from.mark());
    }
    return store.read(
        where.page("select " + COLUMNS + " from due_runs", "due desc, id desc", wanted.limit()),
        row -> shown(row).due());
  }

  /** The cursor of the page behind a due run. */
  public static String cursor(DueRun last) {
    return new Cursor(last.due().toEpochMilli(), last.id()).text();
  }

  // ---- writing -------------------------------------------------------------------------------

  /** A new row for an instant; one that is there stays as it is. */
  public static Statement insert(
      PipelineName pipeline, ProjectName project, Instant due, Freezing frozen, Instant now) {
    return Statement.of(
        "insert into due_runs (id, pipeline, project, due, status, attempt, spec, run, reason,"
            + " moving, created_at) values (?, ?, ?, ?, ?, 0, ?, null, ?, ?, ?)"
            + " on conflict (pipeline, due) do nothing",
        DueIds.of(pipeline, due),
        pipeline.value(),
        project.value(),
        due.toEpochMilli(),
        frozen.status().name(),
        frozen.text(),
        frozen.reason(),
        frozen.spec() == null ? 0 : 1,
        now.toEpochMilli());
  }

  /** Its run is there; Conflict when it is skipped or gone meanwhile. */
  public static Statement submitted(String id, int attempt, RunId run, Instant now) {
    return Statement.of(
            "update due_runs set status = 'CREATED', spec = null, reason = null, run = ?,"
                + " run_status = 'ACCEPTED', moving = 1, submitted_at = ?"
                + " where id = ? and status = 'COMED' and attempt = ?",
            run.value(),
            now.toEpochMilli(),
            id,
            attempt)
        .expecting(1);
  }

  /** It cannot be submitted. */
  public static Statement refused(String id, int attempt, String reason) {
    return Statement.of(
        "update due_runs set status = 'REFUSED', spec = null, moving = 0, reason = ?"
            + " where id = ? and status = 'COMED' and attempt = ?",
        reason,
        id,
        attempt);
  }

  /** The status that its run has now. */
  public static Statement seen(RunId run, RunStatus status) {
    return Statement.of(
        "update due_runs set run_status = ?, moving = ? where run = ? and status = 'CREATED'",
        status.name(),
        status.isOver() ? 0 : 1,
        run.value());
  }

  /** Leaves a due run out. */
  public static Statement skip(Shown shown, String reason) {
    return Statement.of(
            "update due_runs set status = 'SKIPPED', spec = null, moving = 0, reason = ?"
                + " where id = ? and status = ? and attempt = ?",
            reason,
            shown.due().id(),
            shown.due().status().name(),
            shown.attempt())
        .expecting(1);
  }

  /** Has a due run wait again, for another run. */
  public static Statement again(Shown shown, Freezing frozen) {
    return Statement.of(
            "update due_runs set status = ?, attempt = attempt + 1, spec = ?, reason = ?,"
                + " moving = ?, run = null, run_status = null, submitted_at = null"
                + " where id = ? and status = ? and attempt = ?",
            frozen.status().name(),
            frozen.text(),
            frozen.reason(),
            frozen.spec() == null ? 0 : 1,
            shown.due().id(),
            shown.due().status().name(),
            shown.attempt())
        .expecting(1);
  }

  /** Drops those that are over, but the latest. */
  public static Statement keep(PipelineName pipeline, int most) {
    return Statement.of(
        "delete from due_runs where pipeline = ? and moving = 0 and due < ("
            + "select min(kept.due) from (select due from due_runs where pipeline = ?"
            + " and moving = 0 order by due desc limit ?) kept)",
        pipeline.value(),
        pipeline.value(),
        most);
  }

  /**
   * The specification of a due run, or why there is none.
   *
   * @param spec null when the pipeline could not be frozen
   * @param reason null when it could
   */
  public record Freezing(@Nullable RunSpec spec, @Nullable String reason) {
    DueStatus status() {
      return spec == null ? DueStatus.REFUSED : DueStatus.COMED;
    }

    @Nullable String text() {
      return spec == null ? null : Json.write(spec);
    }
  }

  private static DueState state(Row row) {
    return new DueState(
        row.text("id"),
        row.instant("due"),
        DueStatus.valueOf(row.text("status")),
        run(row),
        runStatus(row),
        Math.toIntExact(row.integer("attempt")));
  }

  private static Shown shown(Row row) {
    return new Shown(
        new DueRun(
            row.text("id"),
            new PipelineName(row.text("pipeline")),
            new ProjectName(row.text("project")),
            row.instant("due"),
            DueStatus.valueOf(row.text("status")),
            run(row),
            runStatus(row),
            row.textOrNull("reason"),
            row.instant("created_at"),
            row.instantOrNull("submitted_at")),
        Math.toIntExact(row.integer("attempt")));
  }

  private static @Nullable RunId run(Row row) {
    String run = row.textOrNull("run");
    return run == null ? null : new RunId(run);
  }

  private static @Nullable RunStatus runStatus(Row row) {
    String status = row.textOrNull("run_status");
    return status == null ? null : RunStatus.valueOf(status);
  }
}
