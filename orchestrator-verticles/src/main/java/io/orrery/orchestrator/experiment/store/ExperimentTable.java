package io.orrery.orchestrator.experiment.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.vertx.core.Future;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The experiments: one row each, holding the present state and the sums over its trials. */
public final class ExperimentTable {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "orchestrator",
          ExperimentTable.class,
          List.of(
              "0001-experiments-and-trials.sql",
              "0002-execution-time.sql",
              "0003-trials-by-metric.sql",
              "0004-host.sql",
              "0005-trial-sets.sql",
              "0006-what-moves.sql",
              "0007-best-first.sql",
              "0008-notes-and-tags.sql",
              "0009-failures-in-row.sql",
              "0010-project-and-owner.sql",
              "0011-sources.sql"));

  private static final String UNFINISHED =
      "(status in ('INITIALIZED', 'RUNNING', 'PAUSED', 'NO_MORE_TRIAL', 'STOPPING')"
          + " or (status = 'ERROR' and ended_at is null))";

  private static final String COLUMNS =
      "id, project, owner, spec, status, counts, best, next_sequence, next_ordinal, next_number, created,"
          + " failures_in_row, ran_ms, counted_at, created_at, started_at, ended_at, error";

  private final Store store;
  private final Specs specs = new Specs();

  public ExperimentTable(Store store) {
    this.store = store;
  }

  /**
   * The statement that adds a new experiment; fails the write when the id is taken.
   *
   * @param host the machine that its trials belong to; null when that is none, or the only one
   */
  public Statement insert(ExperimentRecord record, @Nullable String host) {
    return Statement.of(
        "insert into experiments ("
            + COLUMNS
            + ", host) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        record.id().value(),
        record.ownership().project().value(),
        record.ownership().owner(),
        Json.write(record.spec()),
        record.status().name(),
        Json.write(record.counts()),
        best(record),
        record.nextSequence(),
        record.nextOrdinal(),
        record.nextNumber(),
        record.created(),
        record.failuresInRow(),
        record.ran().toMillis(),
        millis(record.countedAt()),
        record.createdAt().toEpochMilli(),
        millis(record.startedAt()),
        millis(record.endedAt()),
        record.error(),
        host);
  }

  /** The statement that tells which machine the trials of an experiment belong to. */
  public Statement belongTo(ExperimentId id, String host) {
    return Statement.of("update experiments set host = ? where id = ?", host, id.value());
  }

  /** The machine that the trials of an experiment belong to while it is not over. */
  public Future<Optional<String>> host(ExperimentId id) {
    return store
        .read(
            Statement.of(
                "select host from experiments where host is not null and id = ? and " + UNFINISHED,
                id.value()),
            row -> row.text("host"))
        .map(rows -> rows.stream().findFirst());
  }

  /**
   * The statement that stores the present state.
   *
   * @param spec whether the specification changed as well: it is large, and seldom does
   */
  public Statement update(ExperimentRecord record, boolean spec) {
    return Statement.of(
            "update experiments set spec = coalesce(?, spec), status = ?, counts = ?, best = ?,"
                + " next_sequence = ?, next_ordinal = ?, next_number = ?, created = ?,"
                + " failures_in_row = ?, ran_ms = ?, counted_at = ?, started_at = ?, ended_at = ?,"
                + " error = ? where id = ?",
            spec ? Json.write(record.spec()) : null,
            record.status().name(),
            Json.write(record.counts()),
            best(record),
            record.nextSequence(),
            record.nextOrdinal(),
            record.nextNumber(),
            record.created(),
            record.failuresInRow(),
            record.ran().toMillis(),
            millis(record.countedAt()),
            millis(record.startedAt()),
            millis(record.endedAt()),
            record.error(),
            record.id().value())
        .expecting(1);
  }

  public Statement delete(ExperimentId id) {
    return Statement.of("delete from experiments where id = ?", id.value());
  }

  public Future<Optional<ExperimentRecord>> find(ExperimentId id) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from experiments where id = ?", id.value()),
            this::record)
        .map(rows -> rows.stream().findFirst());
  }

  public Future<Optional<ResourceOwner>> ownership(ExperimentId id) {
    return store
        .read(
            Statement.of("select project, owner from experiments where id = ?", id.value()),
            ExperimentTable::ownership)
        .map(rows -> rows.stream().findFirst());
  }

  /** Fails with Conflict when there is an experiment of this id. */
  public Future<Void> free(ExperimentId id) {
    return find(id)
        .compose(found ->
            found.isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(taken(id).toException()));
  }

  /**
   * The refusal of an id that an experiment has. It tells nothing of that one: the caller may not
   * be allowed to see it.
   */
  public static Problem taken(ExperimentId id) {
    return new Problem.Conflict(
        "The id '%s' is not free: choose another, or leave it out and get one.".formatted(id));
  }

  /**
   * Those that were going on when a server last owned them, failed ones whose trials were still
   * being ended among them.
   *
   * @param host leaves out those whose trials belong to another machine; empty takes all
   */
  public Future<List<ExperimentId>> unfinished(String host) {
    return store.read(
        Statement.of(
            "select id from experiments where "
                + UNFINISHED
                + " and (? = '' or host is null or host = ?) order by created_at, id",
            host,
            host),
        row -> new ExperimentId(row.text("id")));
  }

  /**
   * A page, newest first. The cursor is the place after the last row: time and id.
   *
   * @param now for how long those that run have been running
   */
  public Future<Experiments.Page> page(Experiments.ListAll wanted, Instant now) {
    String cursor = wanted.cursor();
    int limit = wanted.limit();
    Cursor from = cursor == null ? new Cursor(Long.MAX_VALUE, "") : Cursor.parse(cursor);
    StringBuilder where = new StringBuilder("(created_at < ? or (created_at = ? and id > ?))");
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(from.number());
    arguments.add(from.number());
    arguments.add(from.mark());
    List<ProjectName> among = wanted.among();
    if (among != null) {
      where.append(" and project in (").append(places(among.size())).append(")");
      among.forEach(project -> arguments.add(project.value()));
    }
    if (wanted.owner() != null) {
      where.append(" and owner = ?");
      arguments.add(wanted.owner());
    }
    arguments.add(limit + 1);
    return store
        .read(
            new Statement(
                "select "
                    + COLUMNS
                    + " from experiments where "
                    + where
                    + " order by created_at desc, id limit ?",
                arguments,
                null),
            row -> record(row).view(now))
        .map(rows -> {
          boolean more = rows.size() > limit;
          List<Experiment> items = more ? rows.subList(0, limit) : rows;
          Experiment last = more ? items.getLast() : null;
          String next =
              last == null
                  ? null
                  : new Cursor(last.createdAt().toEpochMilli(), last.id().value()).text();
          return new Experiments.Page(items, next);
        });
  }

  private static String places(int number) {
    return number == 0 ? "null" : String.join(", ", Collections.nCopies(number, "?"));
  }

  private ExperimentRecord record(Row row) {
    String best = row.textOrNull("best");
    return new ExperimentRecord(
        new ExperimentId(row.text("id")),
        ownership(row),
        specs.of(row.text("spec")),
        ExperimentStatus.valueOf(row.text("status")),
        counts(row.text("counts")),
        best == null ? null : Json.read(best, Experiment.Best.class),
        row.integer("next_sequence"),
        row.integer("next_ordinal"),
        row.integer("next_number"),
        row.integer("created"),
        row.integer("failures_in_row"),
        Duration.ofMillis(row.integer("ran_ms")),
        row.instantOrNull("counted_at"),
        row.instant("created_at"),
        row.instantOrNull("started_at"),
        row.instantOrNull("ended_at"),
        row.textOrNull("error"));
  }

  private static ResourceOwner ownership(Row row) {
    return new ResourceOwner(new ProjectName(row.text("project")), row.text("owner"));
  }

  private static Map<TrialStatus, Long> counts(String json) {
    try {
      return Json.MAPPER.readValue(json, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable String best(ExperimentRecord record) {
    return record.best() == null ? null : Json.write(record.best());
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }
}
