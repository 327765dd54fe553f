package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.SearchProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mode that counts how many epochs it takes one worker, in full trainings, until a configuration
 * that was trained to the end is within 1 % of the best that there is, where 100 % is the distance
 * to a typical random one. Who has not got there after 400 trainings' worth counts as having got
 * there then.
 */
public final class UntilGood implements CurveMode {
  private static final double NEAR = 0.01;
  private static final int MOST = 400;

  @Override
  public String name() {
    return "untilgood";
  }

  @Override
  public String peers() {
    return "until_good";
  }

  @Override
  public List<String> players() {
    return List.of("Random", "TPE", "TPE+ASHA", "TPE+Auto", "Hyperband", "BOHB");
  }

  @Override
  public Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("trainings", "trainings");
    figures.put("reached", "reached");
    return figures;
  }

  @Override
  public Map<String, Object> line(Map<String, Double> figures) {
    return Map.copyOf(figures);
  }

  @Override
  public Map<String, Double> play(String name, SearchProblem problem, long seed) {
    Purse purse = Purse.spend(name, problem, seed, MOST, NEAR);
    return Map.of(
        "trainings", purse.trainings(), "reached", purse.regretAfter(MOST) <= NEAR ? 1.0 : 0.0);
  }
}
