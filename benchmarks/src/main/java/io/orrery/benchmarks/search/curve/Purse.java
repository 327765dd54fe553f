package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.hyperband.BracketTuner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The epochs that one worker has, and what it got for them. An epoch of a configuration counts
 * once: one that is taken up again pays for its new epochs only. Only configurations that were
 * trained to the end count.
 */
final class Purse {
  private final SearchProblem problem;
  private final int limit;
  private final Map<String, Integer> trained = new HashMap<>();

  /** The best that was trained to the end, by the epochs that were spent when it was. */
  private final TreeMap<Integer, Double> best = new TreeMap<>();

  private int spent;

  private Purse(SearchProblem problem, int trainings) {
    this.problem = problem;
    this.limit = trainings * problem.epochs();
  }

  /**
   * Lets a player spend it.
   *
   * @param name a tuner, or a tuner and an assessor as {@code TPE+ASHA}
   * @param trainings how many full trainings' worth of epochs there are
   * @param enough the regret with which it stops before they are spent
   * @throws IllegalArgumentException when there is no player of that name
   */
  static Purse spend(String name, SearchProblem problem, long seed, int trainings, double enough) {
    String[] parts = name.split("\\+", 2);
    Assessor assessor = parts.length > 1 ? Cast.assessor(parts[1], problem) : null;
    Purse purse = new Purse(problem, trainings);
    Tuner tuner = Cast.tuner(parts[0], problem, seed);
    for (long number = 0;
        purse.spent < purse.limit && purse.regret(purse.limit) > enough;
        number++) {
      List<Suggestion> next = tuner.suggest(1, number).items();
      if (next.isEmpty()) {
        break;
      }
      Suggestion suggestion = next.getFirst();
      double value = purse.train(suggestion, number, assessor);
      tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), value));
    }
    return purse;
  }

  /**
   * The regret of the best whose training ended within so many trainings' worth of epochs; that of
   * a typical random configuration, 1, when there is none.
   */
  double regretAfter(int trainings) {
    return regret(trainings * problem.epochs());
  }

  /** What was spent, in full trainings. */
  double trainings() {
    return Math.min(spent, limit) / (double) problem.epochs();
  }

  private double regret(int epochs) {
    Map.Entry<Integer, Double> last = best.floorEntry(epochs);
    return last == null ? 1 : problem.regret(last.getValue());
  }

  /** Trains a configuration as far as its budget, or its assessor, lets it; its last value. */
  private double train(Suggestion suggestion, long number, @Nullable Assessor assessor) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>(suggestion.parameters().values());
    Object budget = values.remove(BracketTuner.BUDGET);
    int epochs = budget instanceof Number given ? given.intValue() : problem.epochs();
    Parameters configuration = new Parameters(values);
    int ran = assessor == null ? epochs : watch(configuration, epochs, "t" + number, assessor);
    double value = problem.after(configuration, ran);
    int before = trained.getOrDefault(configuration.canonical(), 0);
    trained.put(configuration.canonical(), Math.max(before, ran));
    spent += Math.max(0, ran - before);
    if (ran == problem.epochs() && (best.isEmpty() || value < best.lastEntry().getValue())) {
      best.put(spent, value);
    }
    return value;
  }

  /** How far an assessor lets it run. */
  private int watch(Parameters configuration, int epochs, String trial, Assessor assessor) {
    List<Double> results = new ArrayList<>();
    boolean good = true;
    while (good && results.size() < epochs) {
      results.add(problem.after(configuration, results.size() + 1));
      good =
          results.size() == epochs
              || assessor.assess(trial, results) instanceof Assessor.Verdict.Good;
    }
    assessor.ended(trial, good, results);
    return results.size();
  }
}
