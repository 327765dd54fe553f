package io.orrery.orchestrator.experiment.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The points of an experiment's charts, for any number of trials. All rows are read once for the
 * few columns that decide which of them a chart needs; the parameters, which are JSON and most of
 * the table, are read of the chosen rows only.
 */
public final class TrialPoints {
  /** Numbers in one question: far below what either engine takes. */
  private static final int IN_ONE_QUESTION = 500;

  /** The entry of a result that the search looks at. */
  private static final String STANDARD_KEY = "default";

  private static final int MOST_KEYS = 100;

  private final Vertx vertx;
  private final Store store;

  public TrialPoints(Vertx vertx, Store store) {
    this.vertx = vertx;
    this.store = store;
  }

  /**
   * The columns of a trial that decide whether a chart needs it.
   *
   * @param result NaN when it has none that counts towards the best
   */
  private record Candidate(long sequence, boolean settled, double result) {
    static Candidate of(Row row) {
      Double result = row.realOrNull("result");
      return new Candidate(
          row.integer("sequence"),
          row.integer("ended") == 1,
          result != null && Double.isFinite(result) ? result : Double.NaN);
    }
  }

  /** The rows that were chosen, and the best up to each. */
  private record Chosen(long total, List<Long> sequences, List<@Nullable Double> best) {}

  public Future<Trials.Points> of(Trials.PointsOf wanted, Direction direction) {
    String key = wanted.key() == null ? STANDARD_KEY : wanted.key();
    FieldSql.Part metric =
        key.equals(STANDARD_KEY)
            ? new FieldSql.Part("metric", List.of())
            : new FieldSql(store.engine()).resultNumber(key);
    List<Object> arguments = new ArrayList<>(metric.arguments());
    arguments.add(wanted.experiment().value());
    // A cell costs a microsecond, and these are read of every trial: as few as will do.
    String sql =
        "select sequence, case when settled is null then 0 else 1 end as ended,"
            + " case when settled is not null and status in ('SUCCEEDED', 'EARLY_STOPPED')"
            + " then "
            + metric.sql()
            + " end as result"
            + " from trials where experiment = ? order by settled nulls last, sequence";
    Direction good = wanted.direction() == null ? direction : wanted.direction();
    return store
        .read(Statement.of(sql, arguments.toArray()), Candidate::of)
        .compose(rows -> vertx.executeBlocking(() -> choose(rows, wanted.maxPoints(), good), false))
        .compose(chosen ->
            rows(wanted.experiment(), key, chosen.sequences())
                .compose(rows -> vertx.executeBlocking(() -> columns(chosen, rows), false)));
  }

  private static Chosen choose(List<Candidate> rows, int most, Direction direction) {
    double[] results = rows.stream().mapToDouble(Candidate::result).toArray();
    double[] best = PointChoice.bestSoFar(results, direction);
    List<Long> sequences = new ArrayList<>();
    List<@Nullable Double> bestOfKept = new ArrayList<>();
    for (int index : PointChoice.choose(results, best, most, direction)) {
      Candidate row = rows.get(index);
      sequences.add(row.sequence());
      bestOfKept.add(row.settled() && !Double.isNaN(best[index]) ? best[index] : null);
    }
    return new Chosen(rows.size(), sequences, bestOfKept);
  }

  private record Point(
      long sequence,
      String trial,
      TrialStatus status,
      @Nullable Double metric,
      List<String> keys,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      Parameters parameters) {
    static Point of(Row row, String key) {
      Double number = row.realOrNull("metric");
      String document = row.textOrNull("metric_document");
      JsonNode entries = document == null ? MissingNode.getInstance() : Json.parse(document);
      return new Point(
          row.integer("sequence"),
          row.text("id"),
          TrialStatus.valueOf(row.text("status")),
          key.equals(STANDARD_KEY) ? number : MetricValue.numberAt(entries, key),
          keys(entries),
          row.instantOrNull("started_at"),
          row.instantOrNull("ended_at"),
          StoredSets.read(row.text("parameter_sets")).getLast().values());
    }

    private static List<String> keys(JsonNode entries) {
      return entries
          .propertyStream()
          .filter(entry -> MetricValue.numberAt(entries, entry.getKey()) != null)
          .map(Map.Entry::getKey)
          .toList();
    }

    @Nullable Double seconds() {
      return startedAt == null || endedAt == null
          ? null
          : Duration.between(startedAt, endedAt).toMillis() / 1e3;
    }
  }

  private Future<Map<Long, Point>> rows(ExperimentId experiment, String key, List<Long> sequences) {
    List<Future<List<Point>>> parts = new ArrayList<>();
    for (int from = 0; from < sequences.size(); from += IN_ONE_QUESTION) {
      List<Long> some = sequences.subList(from, Math.min(from + IN_ONE_QUESTION, sequences.size()));
      List<Object> arguments = new ArrayList<>(List.of(experiment.value()));
      arguments.addAll(some);
      parts.add(
          store.read(
              Statement.of(
                  "select sequence, id, status, metric, metric_document, started_at, ended_at,"
                      + " parameter_sets"
                      + " from trials where experiment = ? and sequence in ("
                      + "?, ".repeat(some.size() - 1)
                      + "?)",
                  arguments.toArray()),
              row -> Point.of(row, key)));
    }
    return Future.all(parts)
        .map(read -> {
          Map<Long, Point> rows = new HashMap<>();
          parts.forEach(part -> part.result().forEach(row -> rows.put(row.sequence(), row)));
          return rows;
        });
  }

  private static Trials.Points columns(Chosen chosen, Map<Long, Point> found) {
    List<Point> rows = new ArrayList<>();
    List<@Nullable Double> best = new ArrayList<>();
    for (int i = 0; i < chosen.sequences().size(); i++) {
      Point row = found.get(chosen.sequences().get(i));
      // A planned trial may have been withdrawn between the two questions.
      if (row != null) {
        rows.add(row);
        best.add(chosen.best().get(i));
      }
    }
    Map<String, List<@Nullable Object>> parameters = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      for (var value : rows.get(i).parameters().values().entrySet()) {
        parameters
            .computeIfAbsent(
                value.getKey(),
                name -> new ArrayList<>(Collections.nCopies(rows.size(), (@Nullable Object) null)))
            .set(i, value.getValue());
      }
    }
    Set<String> keys = new LinkedHashSet<>(List.of(STANDARD_KEY));
    rows.forEach(row -> row.keys().stream().limit(MOST_KEYS - keys.size()).forEach(keys::add));
    return new Trials.Points(
        chosen.total(),
        List.copyOf(keys),
        rows.stream().map(Point::trial).toList(),
        rows.stream().map(Point::sequence).toList(),
        rows.stream().map(Point::status).toList(),
        rows.stream().map(Point::metric).toList(),
        best,
        rows.stream().map(Point::startedAt).toList(),
        rows.stream().map(Point::seconds).toList(),
        parameters);
  }
}
