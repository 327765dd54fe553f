package io.orrery.tuner.assess;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Asynchronous successive halving as a rule for stopping (Li, Jamieson, Rostamizadeh, Gonina,
 * Hardt, Recht, Talwalkar: "A system for massively parallel hyperparameter tuning", MLSys 2020),
 * for any tuner: rungs stand at {@code min_resource}, eta times that, eta times that again…,
 * counted in intermediate results. Of the trials that came to a rung only the best one in eta goes
 * on, judged by the result that each had right there. A trial does not wait for the others: it is
 * compared with those that came before it.
 *
 * <p>It is compared again whenever it reports something, until it comes to the next rung; so one
 * that was early, and good only for want of company, does not run to its end for that. That makes
 * the verdict a function of the set of curves, whatever their order; the paper's rule judges once.
 *
 * <p>A result that is no measure ({@link Direction#loss}) takes no part at its rung.
 *
 * <p>Defaults: rungs from the first result on as in the paper and in Optuna, eta 3 as in Hyperband.
 */
public final class Asha implements Assessor {
  private static final Option<Long> MIN_RESOURCE =
      Option.of(
          "min_resource",
          new Shape.Whole(1, 1_000_000_000),
          1L,
          "How many intermediate results the first rung stands at.");
  private static final Option<Long> REDUCTION_FACTOR =
      Option.of(
          "reduction_factor",
          new Shape.Whole(2, 1_000),
          3L,
          "Of so many trials that came to a rung one goes on; the next rung is so many times as"
              + " far.");
  private static final Option<Long> EARLIEST =
      Option.of(
          "min_early_stopping_rate",
          new Shape.Whole(0, 30),
          0L,
          "How many of the first rungs are left out.");

  /** The catalogue's entry. */
  public static final AssessorFactory FACTORY =
      new AssessorFactory() {
        @Override
        public Description description() {
          return new Description(
              "ASHA",
              List.of(),
              "Lets the best third of the trials that came to a rung go on to the next one.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, MIN_RESOURCE, REDUCTION_FACTOR, EARLIEST),
              0);
        }

        @Override
        public Assessor open(Arguments arguments, Direction direction) {
          int eta = arguments.get(REDUCTION_FACTOR).intValue();
          double first =
              arguments.get(MIN_RESOURCE) * Math.pow(eta, arguments.get(EARLIEST).intValue());
          return new Asha(first, eta, direction);
        }
      };

  private final double first;
  private final int eta;
  private final Direction direction;
  private final List<Rung> rungs = new ArrayList<>();

  /** Losses of the trials that came there, less is better, each counted once. */
  private static final class Rung {
    private final Set<String> trials = new HashSet<>();
    private final SortedNumbers losses = new SortedNumbers();
  }

  private Asha(double first, int eta, Direction direction) {
    this.first = first;
    this.eta = eta;
    this.direction = direction;
  }

  @Override
  public Verdict assess(String trial, List<Double> results) {
    int reached = record(trial, results);
    if (reached < 0) {
      return new Verdict.Good();
    }
    double loss = loss(results, reached);
    if (Double.isNaN(loss)) {
      return new Verdict.Good();
    }
    SortedNumbers losses = rungs.get(reached).losses;
    int goOn = Math.max(1, losses.size() / eta);
    int better = losses.below(loss);
    return better < goOn
        ? new Verdict.Good()
        : new Verdict.Bad(why(at(reached), better, losses.size()));
  }

  private String why(int step, int better, int size) {
    return String.format(
        Locale.ROOT,
        "at result %d there were %d better among %d trials, and one in %d goes on",
        step,
        better,
        size,
        eta);
  }

  @Override
  public void ended(String trial, boolean succeeded, List<Double> results) {
    record(trial, results);
  }

  /** Takes note of the rungs that a trial came to; the index of the last, -1 when there is none. */
  private int record(String trial, List<Double> results) {
    int reached = -1;
    while (first * Math.pow(eta, reached + 1) <= results.size()) {
      reached++;
      if (rungs.size() == reached) {
        rungs.add(new Rung());
      }
      Rung rung = rungs.get(reached);
      double loss = loss(results, reached);
      if (rung.trials.add(trial) && !Double.isNaN(loss)) {
        rung.losses.add(loss);
      }
    }
    return reached;
  }

  private int at(int rung) {
    return (int) (first * Math.pow(eta, rung));
  }

  private double loss(List<Double> results, int rung) {
    return direction.loss(results.get(at(rung) - 1));
  }
}
