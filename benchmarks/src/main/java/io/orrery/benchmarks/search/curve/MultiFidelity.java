package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.Problem;
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
import org.jspecify.annotations.Nullable;

/**
 * One worker has the epochs of 25 full trainings to spend. An epoch of a configuration counts once:
 * one that is taken up again pays for its new epochs only. The score is the regret of the best
 * configuration that was trained to the end, of those whose training ended within 10 and within 25
 * trainings' worth.
 */
public final class MultiFidelity implements CurveMode {
  private static final List<Integer> CHECKPOINTS = List.of(10, 25);

  @Override
  public String name() {
    return "multifidelity";
  }

  @Override
  public String peers() {
    return "multi_fidelity";
  }

  @Override
  public List<String> everybody() {
    return List.of("Random", "TPE", "TPE+Medianstop", "TPE+ASHA", "TPE+Auto", "Hyperband", "BOHB");
  }

  @Override
  public Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    CHECKPOINTS.forEach(k -> figures.put(Integer.toString(k), "r" + k));
    return figures;
  }

  @Override
  public Map<String, Object> line(Map<String, Double> figures) {
    return Map.of("regret", figures);
  }

  @Override
  public Map<String, Double> play(String name, Problem problem, long seed) {
    String[] parts = name.split("\\+", 2);
    Assessor assessor = parts.length > 1 ? Cast.assessor(parts[1], problem) : null;
    Purse purse = new Purse(problem, CHECKPOINTS);
    Tuner tuner = Cast.tuner(parts[0], problem, seed);
    for (long number = 0; !purse.isEmpty(); number++) {
      List<Suggestion> next = tuner.suggest(1, number).items();
      if (next.isEmpty()) {
        break;
      }
      Suggestion suggestion = next.getFirst();
      double value = purse.train(suggestion, number, assessor);
      tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), value));
    }
    return purse.regrets();
  }

  /** The epochs, and what was got for them. */
  private static final class Purse {
    private final Problem problem;
    private final List<Integer> checkpoints;
    private final Map<String, Integer> trained = new HashMap<>();
    private final Map<String, Double> regrets = new LinkedHashMap<>();
    private double best = Double.POSITIVE_INFINITY;
    private int spent;

    Purse(Problem problem, List<Integer> checkpoints) {
      this.problem = problem;
      this.checkpoints = checkpoints;
    }

    boolean isEmpty() {
      return spent >= checkpoints.getLast() * problem.epochs();
    }

    /** Trains a configuration as far as its budget, or its assessor, lets it; its last value. */
    double train(Suggestion suggestion, long number, @Nullable Assessor assessor) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>(suggestion.parameters().values());
      Object budget = values.remove(BracketTuner.BUDGET);
      int epochs = budget instanceof Number given ? given.intValue() : problem.epochs();
      Parameters configuration = new Parameters(values);
      int ran = assessor == null ? epochs : watch(configuration, epochs, "t" + number, assessor);
      double value = problem.after(configuration, ran);
      pay(configuration.canonical(), ran);
      if (ran == problem.epochs() && !isOverdrawn()) {
        best = Math.min(best, value);
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

    private boolean isOverdrawn() {
      return spent > checkpoints.getLast() * problem.epochs();
    }

    private void pay(String configuration, int epochs) {
      int before = trained.getOrDefault(configuration, 0);
      trained.put(configuration, Math.max(before, epochs));
      spent += Math.max(0, epochs - before);
      for (int checkpoint : checkpoints) {
        if (spent > checkpoint * problem.epochs()) {
          regrets.putIfAbsent(Integer.toString(checkpoint), regret());
        }
      }
    }

    /** As of a typical random configuration while none was trained to the end. */
    private double regret() {
      return best == Double.POSITIVE_INFINITY ? 1 : problem.regret(best);
    }

    Map<String, Double> regrets() {
      checkpoints.forEach(k -> regrets.putIfAbsent(Integer.toString(k), regret()));
      return regrets;
    }
  }
}
