package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.SearchProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mode in which one worker has the epochs of 25 full trainings to spend. The score is the regret
 * of the best configuration that was trained to the end, of those whose training ended within 10
 * and within 25 trainings' worth.
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
  public List<String> players() {
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
  public Map<String, Double> play(String name, SearchProblem problem, long seed) {
    Purse purse = Purse.spend(name, problem, seed, CHECKPOINTS.getLast(), Double.NEGATIVE_INFINITY);
    Map<String, Double> regrets = new LinkedHashMap<>();
    CHECKPOINTS.forEach(k -> regrets.put(Integer.toString(k), purse.regretAfter(k)));
    return regrets;
  }
}
