package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.metric.Direction;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the charts of an experiment are drawn from, however many trials it has. All rows are read
 * once for the few columns that decide which of them a chart needs; the parameters, which are JSON
 * and most of the table, are read of the chosen rows only.
 */
final class TrialPoints {
  /** Numbers in one question: far below what either engine takes. */
  private static final int IN_ONE_QUESTION = 500;

  private final Vertx vertx;
  private final Store store;

  TrialPoints(Vertx vertx, Store store) {
    this.vertx = vertx;
    this.store = store;
  }

  private record Light(
      long sequence,
      String trial,
      TrialStatus status,
      @Nullable Double metric,
      @Nullable Long startedAt,
      @Nullable Long endedAt,
      @Nullable Long settled) {
    static Light of(Row row) {
      return new Light(
          row.integer("sequence"),
          row.text("id"),
          TrialStatus.valueOf(row.text("status")),
          row.realOrNull("metric"),
          row.integerOrNull("started_at"),
          row.integerOrNull("ended_at"),
          row.integerOrNull("settled"));
    }

    /** The result as the search for the best sees it, NaN when it does not count. */
    double usable() {
      boolean counts =
          settled != null
              && switch (status) {
                case SUCCEEDED, EARLY_STOPPED -> true;
                case WAITING, RUNNING, FAILED, USER_CANCELED, SYS_CANCELED, UNKNOWN -> false;
              };
      return counts && metric != null && Double.isFinite(metric) ? metric : Double.NaN;
    }

    @Nullable Instant start() {
      return startedAt == null ? null : Instant.ofEpochMilli(startedAt);
    }

    @Nullable Double duration() {
      return startedAt == null || endedAt == null ? null : (endedAt - startedAt) / 1e3;
    }
  }

  /** The rows that were chosen. */
  private record Chosen(long total, List<Light> rows, List<@Nullable Double> best) {}

  Future<Trials.Points> of(Trials.PointsOf wanted, Direction direction) {
    String id = wanted.experiment().value();
    return store
        .read(
            Statement.of(
                "select sequence, id, status, metric, started_at, ended_at, settled from trials"
                    + " where experiment = ? order by sequence",
                id),
            Light::of)
        .compose(
            rows -> vertx.executeBlocking(() -> choose(rows, wanted.maxPoints(), direction), false))
        .compose(chosen ->
            parameters(wanted.experiment(), chosen)
                .compose(sets -> vertx.executeBlocking(() -> columns(chosen, sets), false)));
  }

  private static Chosen choose(List<Light> rows, int most, Direction direction) {
    List<Light> ordered = new ArrayList<>(rows);
    // Stable: what has not settled stays by sequence.
    ordered.sort(
        Comparator.comparing(Light::settled, Comparator.nullsLast(Comparator.naturalOrder())));
    double[] results = ordered.stream().mapToDouble(Light::usable).toArray();
    double[] best = PointChoice.bestSoFar(results, direction);
    List<Light> kept = new ArrayList<>();
    List<@Nullable Double> bestOfKept = new ArrayList<>();
    for (int index : PointChoice.choose(results, best, most, direction)) {
      Light row = ordered.get(index);
      kept.add(row);
      bestOfKept.add(row.settled() == null || Double.isNaN(best[index]) ? null : best[index]);
    }
    return new Chosen(rows.size(), kept, bestOfKept);
  }

  private record Values(long sequence, Parameters parameters) {
    static Values of(Row row) {
      return new Values(
          row.integer("sequence"),
          TrialTable.parameterSets(row.text("parameter_sets")).getLast().values());
    }
  }

  private Future<Map<Long, Parameters>> parameters(ExperimentId experiment, Chosen chosen) {
    List<Future<List<Values>>> parts = new ArrayList<>();
    for (int from = 0; from < chosen.rows().size(); from += IN_ONE_QUESTION) {
      List<Light> some =
          chosen.rows().subList(from, Math.min(from + IN_ONE_QUESTION, chosen.rows().size()));
      List<Object> arguments = new ArrayList<>(List.of(experiment.value()));
      some.forEach(row -> arguments.add(row.sequence()));
      parts.add(
          store.read(
              Statement.of(
                  "select sequence, parameter_sets from trials where experiment = ? and sequence in ("
                      + "?, ".repeat(some.size() - 1)
                      + "?)",
                  arguments.toArray()),
              Values::of));
    }
    return Future.all(parts)
        .map(read -> {
          Map<Long, Parameters> sets = new HashMap<>();
          parts.forEach(
              part -> part.result().forEach(row -> sets.put(row.sequence(), row.parameters())));
          return sets;
        });
  }

  private static Trials.Points columns(Chosen chosen, Map<Long, Parameters> sets) {
    List<Light> rows = chosen.rows();
    Map<String, List<@Nullable Object>> parameters = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      Parameters set = sets.getOrDefault(rows.get(i).sequence(), Parameters.EMPTY);
      for (var value : set.values().entrySet()) {
        parameters
            .computeIfAbsent(
                value.getKey(),
                name -> new ArrayList<>(Collections.nCopies(rows.size(), (@Nullable Object) null)))
            .set(i, value.getValue());
      }
    }
    return new Trials.Points(
        chosen.total(),
        rows.stream().map(Light::trial).toList(),
        rows.stream().map(Light::sequence).toList(),
        rows.stream().map(Light::status).toList(),
        rows.stream().map(Light::metric).toList(),
        chosen.best(),
        rows.stream().map(Light::start).toList(),
        rows.stream().map(Light::duration).toList(),
        parameters);
  }
}
