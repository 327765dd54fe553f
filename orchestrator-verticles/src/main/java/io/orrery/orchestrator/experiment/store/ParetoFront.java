package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Trial;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The trials of an experiment that no other one dominates. All results are read once; what is shown
 * of a trial besides is read of the members only.
 */
public final class ParetoFront {
  private static final int MOST = 1_000;

  /** Numbers in one question: far below what either engine takes. */
  private static final int IN_ONE_QUESTION = 500;

  private final Vertx vertx;
  private final Store store;
  private final TrialTable trials;

  public ParetoFront(Vertx vertx, Store store, TrialTable trials) {
    this.vertx = vertx;
    this.store = store;
    this.trials = trials;
  }

  /** The results of a trial. */
  record Reached(long sequence, List<Double> values) {
    private static Reached of(Row row, Objectives objectives) {
      Double number = row.realOrNull("metric");
      MetricValue result =
          number == null ? null : new MetricValue(number, row.textOrNull("metric_document"));
      return new Reached(row.integer("sequence"), objectives.numbers(result));
    }

    private Trials.FrontMember shown(Trial trial) {
      return new Trials.FrontMember(
          trial.ref().trial(), sequence, values, trial.counted().values());
    }

    private boolean comparable() {
      return values.stream().allMatch(Double::isFinite);
    }
  }

  /** Fails with Refused when the limit is out of its bounds. */
  public Future<Trials.ParetoFront> of(Trials.FrontOf wanted, Objectives objectives) {
    if (wanted.limit() < 1 || wanted.limit() > MOST) {
      return Future.failedFuture(
          new Problem.Refused(new Finding("/limit", "must be from 1 to 1,000")).toException());
    }
    return store
        .read(
            Statement.of(
                "select sequence, metric, metric_document from trials where experiment = ?"
                    + " and phase = 'SETTLED' and status in ('SUCCEEDED', 'EARLY_STOPPED')"
                    + " and metric is not null",
                wanted.experiment().value()),
            row -> Reached.of(row, objectives))
        .compose(rows ->
            vertx
                .executeBlocking(
                    () -> {
                      List<Reached> usable = rows.stream().filter(Reached::comparable).toList();
                      return new Found(front(usable, objectives), usable.size());
                    },
                    false)
                .compose(found -> shown(wanted, objectives, found)));
  }

  private record Found(List<Reached> front, long trials) {}

  /** The best in the first objective first; of equals the one that was tried first. */
  static List<Reached> front(List<Reached> reached, Objectives objectives) {
    List<Reached> front = new ArrayList<>();
    // In this order no trial is dominated by one that follows.
    for (Reached next : reached.stream().sorted(bestFirst(objectives)).toList()) {
      if (front.stream()
          .noneMatch(member -> objectives.dominates(member.values(), next.values()))) {
        front.add(next);
      }
    }
    return front;
  }

  private static Comparator<Reached> bestFirst(Objectives objectives) {
    Comparator<Reached> order = Comparator.comparingLong(Reached::sequence);
    for (int i = objectives.all().size() - 1; i >= 0; i--) {
      int column = i;
      Comparator<Reached> ascending = Comparator.comparingDouble(r -> r.values().get(column));
      order =
          switch (objectives.all().get(i).goal()) {
            case MINIMIZE -> ascending.thenComparing(order);
            case MAXIMIZE -> ascending.reversed().thenComparing(order);
          };
    }
    return order;
  }

  private Future<Trials.ParetoFront> shown(
      Trials.FrontOf wanted, Objectives objectives, Found found) {
    List<Reached> members = spread(found.front(), wanted.limit());
    List<Future<List<Trial>>> parts = new ArrayList<>();
    for (int from = 0; from < members.size(); from += IN_ONE_QUESTION) {
      parts.add(
          trials.some(
              wanted.experiment(),
              members.subList(from, Math.min(members.size(), from + IN_ONE_QUESTION)).stream()
                  .map(Reached::sequence)
                  .toList()));
    }
    return Future.all(parts)
        .map(read -> {
          Map<Long, Trial> rows = new HashMap<>();
          parts.forEach(part -> part.result().forEach(row -> rows.put(row.sequenceId(), row)));
          List<Trials.FrontMember> shown = new ArrayList<>();
          for (Reached member : members) {
            Trial trial = rows.get(member.sequence());
            // It may have been taken back for another attempt between the two questions.
            if (trial != null) {
              shown.add(member.shown(trial));
            }
          }
          return new Trials.ParetoFront(
              objectives.all(), shown, found.front().size(), found.trials());
        });
  }

  /** So many of a list, its ends among them. */
  private static List<Reached> spread(List<Reached> front, int limit) {
    if (front.size() <= limit) {
      return front;
    }
    List<Reached> some = new ArrayList<>();
    for (int i = 0; i < limit; i++) {
      some.add(front.get(limit == 1 ? 0 : (int) ((long) i * (front.size() - 1) / (limit - 1))));
    }
    return some;
  }
}
