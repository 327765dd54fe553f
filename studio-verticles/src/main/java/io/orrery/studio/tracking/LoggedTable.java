package io.orrery.studio.tracking;

import io.orrery.core.bus.contract.Tracking.MetricChunk;
import io.orrery.core.digest.Sha256;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.tracking.TrackedPoints;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of what was logged: parameters, tags, points of metrics and the latest of each. */
final class LoggedTable {
  /** Bytes of a digest that mark a chunk within a metric of a run. */
  private static final int MARK = 12;

  private final Store store;

  LoggedTable(Store store) {
    this.store = store;
  }

  /** A value of a run or experiment under a name. */
  private record Named<T>(String subject, String name, T value) {}

  /** A stored chunk of points. */
  record Chunk(String mark, long at, byte[] packed) {}

  // ---- writing -------------------------------------------------------------------------------

  /** The statements that store points that were logged together; the same again change nothing. */
  static List<Statement> add(String run, MetricChunk chunk, long now) {
    TrackedPoints.Point latest = chunk.latest();
    boolean nan = Double.isNaN(latest.value());
    return List.of(
        Statement.of(
            "insert into tracking_points (run, name, mark, at, points) values (?, ?, ?, ?, ?)"
                + " on conflict (run, name, mark) do nothing",
            run,
            chunk.metric(),
            HexFormat.of().formatHex(Sha256.of(chunk.packed()), 0, MARK),
            now,
            chunk.packed()),
        Statement.of(
            "insert into tracking_metrics (run, name, value, nan, step, at)"
                + " values (?, ?, ?, ?, ?, ?) on conflict (run, name) do update set"
                + " value = excluded.value, nan = excluded.nan, step = excluded.step,"
                + " at = excluded.at where (excluded.step, excluded.at, excluded.value)"
                + " > (tracking_metrics.step, tracking_metrics.at, tracking_metrics.value)",
            run,
            chunk.metric(),
            nan ? 0.0 : latest.value(),
            nan,
            latest.step(),
            latest.timestamp()));
  }

  /** The statement that stores a parameter; it fails when there is one of another value. */
  static Statement parameter(String run, String name, String value) {
    return Statement.of(
            "insert into tracking_params (run, name, value) values (?, ?, ?)"
                + " on conflict (run, name) do update set value = excluded.value"
                + " where tracking_params.value = excluded.value",
            run,
            name,
            value)
        .expecting(1);
  }

  static Statement tag(String subject, String name, String value) {
    return Statement.of(
        "insert into tracking_tags (subject, name, value) values (?, ?, ?)"
            + " on conflict (subject, name) do update set value = excluded.value",
        subject,
        name,
        value);
  }

  /** The statements that set all tags of a new object. */
  static List<Statement> tags(String subject, Map<String, String> tags) {
    List<Statement> statements = new ArrayList<>();
    tags.forEach((name, value) -> statements.add(tag(subject, name, value)));
    return statements;
  }

  /** The statement that removes a tag; it fails when it is not there. */
  static Statement dropTag(String subject, String name) {
    return Statement.of("delete from tracking_tags where subject = ? and name = ?", subject, name)
        .expecting(1);
  }

  // ---- reading -------------------------------------------------------------------------------

  /** The tags of some runs or experiments, by id and name. */
  Future<Map<String, Map<String, String>>> tags(List<String> subjects) {
    return texts("select subject, name, value from tracking_tags where subject in ", subjects);
  }

  /** The parameters of some runs, by id and name. */
  Future<Map<String, Map<String, String>>> parameters(List<String> runs) {
    return texts("select run as subject, name, value from tracking_params where run in ", runs);
  }

  private Future<Map<String, Map<String, String>>> texts(String query, List<String> subjects) {
    return subjects.isEmpty()
        ? Future.succeededFuture(Map.of())
        : store
            .read(
                statement(query, subjects),
                row -> new Named<>(row.text("subject"), row.text("name"), row.text("value")))
            .map(LoggedTable::bySubject);
  }

  /** The latest points of some runs, by id and name. */
  Future<Map<String, Map<String, TrackedPoints.Point>>> metrics(List<String> runs) {
    return runs.isEmpty()
        ? Future.succeededFuture(Map.of())
        : store
            .read(
                statement(
                    "select run, name, value, nan, step, at from tracking_metrics where run in ",
                    runs),
                row ->
                    new Named<>(
                        row.text("run"),
                        row.text("name"),
                        new TrackedPoints.Point(
                            row.integer("at"),
                            row.integer("step"),
                            row.integer("nan") == 0
                                ? Objects.requireNonNull(row.realOrNull("value"))
                                : Double.NaN)))
            .map(LoggedTable::bySubject);
  }

  private static Statement statement(String query, List<String> subjects) {
    return new Statement(
        query + Statement.marks(subjects.size()), new ArrayList<@Nullable Object>(subjects), null);
  }

  private static <T> Map<String, Map<String, T>> bySubject(List<Named<T>> rows) {
    Map<String, Map<String, T>> all = new HashMap<>();
    rows.forEach(row ->
        all.computeIfAbsent(row.subject(), id -> new HashMap<>()).put(row.name(), row.value()));
    return all;
  }

  /**
   * Some chunks of a metric, in the order in which they were logged.
   *
   * @param from the chunk before; null begins with the first
   */
  Future<List<Chunk>> chunks(String run, String metric, @Nullable Cursor from, int limit) {
    return store.read(
        from == null
            ? Statement.of(
                "select mark, at, points from tracking_points where run = ? and name = ?"
                    + " order by at, mark limit ?",
                run,
                metric,
                limit)
            : Statement.of(
                "select mark, at, points from tracking_points where run = ? and name = ?"
                    + " and (at > ? or (at = ? and mark > ?)) order by at, mark limit ?",
                run,
                metric,
                from.number(),
                from.number(),
                from.mark(),
                limit),
        row -> new Chunk(row.text("mark"), row.integer("at"), row.blob("points")));
  }
}
