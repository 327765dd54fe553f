package io.orrery.studio.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.bus.contract.Schedules.ListSchedules;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of schedules. */
public final class ScheduleTable {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "schedules", ScheduleTable.class, List.of("0001-schedules.sql", "0002-alerts.sql"));

  private static final String COLUMNS =
      "pipeline, project, schedule, alerts, paused, position, revision";

  private final Store store;

  public ScheduleTable(Store store) {
    this.store = store;
  }

  /**
   * A schedule with its state.
   *
   * @param alerts what is told of its due runs; null for nothing
   * @param position the instant up to which it has been decided
   * @param revision which a change of anything else raises
   */
  public record Stored(
      PipelineName pipeline,
      ProjectName project,
      PipelineSchedule schedule,
      @Nullable RunAlerts alerts,
      boolean paused,
      Instant position,
      long revision) {}

  /** The pipelines that have a schedule. */
  public Future<List<PipelineName>> pipelines() {
    return store.read(
        Statement.of("select pipeline from schedules order by pipeline"),
        row -> new PipelineName(row.text("pipeline")));
  }

  /** A page of schedules and one more, if there is one. */
  public Future<List<Stored>> page(ListSchedules wanted) {
    return store.read(
        new Where()
            .and("pipeline > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .in("project", wanted.among())
            .page("select " + COLUMNS + " from schedules", "pipeline", wanted.limit()),
        ScheduleTable::stored);
  }

  public Future<Optional<Stored>> find(PipelineName pipeline) {
    return store
        .read(
            Statement.of(
                "select " + COLUMNS + " from schedules where pipeline = ?", pipeline.value()),
            ScheduleTable::stored)
        .map(rows -> rows.stream().findFirst());
  }

  /** The schedule of a pipeline; fails with NotFound. */
  public Future<Stored> get(PipelineName pipeline) {
    return find(pipeline)
        .map(found ->
            found.orElseThrow(() ->
                new Problem.NotFound("Pipeline %s has no schedule.".formatted(pipeline))
                    .toException()));
  }

  /**
   * The statements that store the schedule of a changed document. A schedule whose timing is new
   * begins now; one whose timing is as it was goes on where it is.
   *
   * @param schedule null when the document has none
   * @param alerts null when the document has none
   */
  public static List<Statement> put(
      Pipeline pipeline,
      @Nullable PipelineSchedule schedule,
      @Nullable RunAlerts alerts,
      Instant now) {
    if (schedule == null) {
      return List.of(
          Statement.of("delete from schedules where pipeline = ?", pipeline.name().value()),
          Statement.of(
              "update due_runs set status = 'SKIPPED', moving = 0, spec = null,"
                  + " reason = 'the schedule was removed' where pipeline = ? and status = 'COMED'",
              pipeline.name().value()));
    }
    return List.of(
        Statement.of(
            "insert into schedules (pipeline, project, schedule, alerts, timing, paused, position,"
                + " revision) values (?, ?, ?, ?, ?, 0, ?, 1) on conflict (pipeline) do update set"
                + " schedule = excluded.schedule, alerts = excluded.alerts, timing = excluded.timing,"
                + " position = case when schedules.timing = excluded.timing"
                + " then schedules.position else excluded.position end,"
                + " revision = schedules.revision + 1",
            pipeline.name().value(),
            pipeline.project().value(),
            Json.write(Json.parse(pipeline.document()).get("schedule")),
            alerts == null ? null : Json.write(alerts),
            schedule.timing(),
            schedule.begins(now).toEpochMilli()));
  }

  /** The statements that forget a schedule with its due runs. */
  public static List<Statement> delete(PipelineName pipeline) {
    return List.of(
        Statement.of("delete from schedules where pipeline = ?", pipeline.value()),
        Statement.of("delete from due_runs where pipeline = ?", pipeline.value()),
        AlertRows.forget(AlertRows.ofSchedule(pipeline)));
  }

  /** Pauses a schedule. */
  public static Statement pause(Stored stored) {
    return Statement.of(
            "update schedules set paused = 1, revision = revision + 1"
                + " where pipeline = ? and revision = ?",
            stored.pipeline().value(),
            stored.revision())
        .expecting(1);
  }

  /** Goes on with a schedule; instants that passed meanwhile are not made up for. */
  public static Statement resume(Stored stored, Instant now) {
    Instant begins = stored.schedule().begins(now);
    return Statement.of(
            "update schedules set paused = 0, position = ?, revision = revision + 1"
                + " where pipeline = ? and revision = ?",
            (begins.isAfter(stored.position()) ? begins : stored.position()).toEpochMilli(),
            stored.pipeline().value(),
            stored.revision())
        .expecting(1);
  }

  /** Moves a schedule on; it fails when anything of it was changed meanwhile. */
  public static Statement move(Stored stored, Instant position) {
    return Statement.of(
            "update schedules set position = ?"
                + " where pipeline = ? and revision = ? and position = ? and paused = 0",
            position.toEpochMilli(),
            stored.pipeline().value(),
            stored.revision(),
            stored.position().toEpochMilli())
        .expecting(1);
  }

  private static Stored stored(Row row) {
    List<String> wrong = new ArrayList<>();
    PipelineSchedule schedule =
        PipelineSchedule.read(
            (ObjectNode) Json.parse(row.text("schedule")),
            "",
            finding -> wrong.add(finding.message()));
    if (schedule == null) {
      throw new IllegalStateException(
          "the stored schedule of %s is wrong: %s".formatted(row.text("pipeline"), wrong));
    }
    String alerts = row.textOrNull("alerts");
    return new Stored(
        new PipelineName(row.text("pipeline")),
        new ProjectName(row.text("project")),
        schedule,
        alerts == null ? null : Json.read(alerts, RunAlerts.class),
        row.integer("paused") == 1,
        row.instant("position"),
        row.integer("revision"));
  }
}
