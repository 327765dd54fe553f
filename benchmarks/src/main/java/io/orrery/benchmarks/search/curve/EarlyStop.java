package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.host.Catalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mode in which 100 random configurations come one after the other, and after every epoch but the
 * last a rule may stop the one that runs. What is saved is the share of epochs that were not run;
 * what it costs is how much worse the best is that came to its end, from 0, as good as the best of
 * all, to 1, a configuration in the middle.
 */
public final class EarlyStop implements CurveMode {
  private static final int CONFIGURATIONS = 100;

  @Override
  public String name() {
    return "earlystop";
  }

  @Override
  public String peers() {
    return "early_stopping";
  }

  @Override
  public List<String> players() {
    return Catalog.standard().assessors().stream()
        .map(AssessorFactory::description)
        .map(description -> description.name())
        .toList();
  }

  @Override
  public Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("epochsShare", "used");
    figures.put("loss", "loss");
    figures.put("bestKept", "best_kept");
    figures.put("top5Kept", "top5_kept");
    return figures;
  }

  @Override
  public Map<String, Object> line(Map<String, Double> figures) {
    return new LinkedHashMap<>(figures);
  }

  @Override
  public Map<String, Double> play(String name, SearchProblem problem, long seed) {
    List<Parameters> configurations =
        Cast.tuner("Random", problem, seed).suggest(CONFIGURATIONS, 0).items().stream()
            .map(Suggestion::parameters)
            .toList();
    double[] ends = configurations.stream().mapToDouble(problem::value).toArray();
    Assessor assessor = Cast.assessor(name, problem);
    int epochs = 0;
    List<Double> kept = new ArrayList<>();
    for (int trial = 0; trial < ends.length; trial++) {
      int ran = run(assessor, "t" + trial, configurations.get(trial), problem);
      epochs += ran;
      if (ran == problem.epochs()) {
        kept.add(ends[trial]);
      }
    }
    Arrays.sort(ends);
    double best = ends[0];
    double middle = ends[ends.length / 2];
    double found = kept.stream().mapToDouble(v -> v).min().orElse(middle);
    double fifth = ends[4];
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("epochsShare", epochs / (double) (ends.length * problem.epochs()));
    figures.put("loss", (found - best) / (middle - best));
    figures.put("bestKept", found == best ? 1.0 : 0.0);
    figures.put("top5Kept", Math.min(1, kept.stream().filter(v -> v <= fifth).count() / 5.0));
    return figures;
  }

  /** How many epochs it ran. */
  private static int run(
      Assessor assessor, String trial, Parameters configuration, SearchProblem problem) {
    List<Double> results = new ArrayList<>();
    boolean good = true;
    while (good && results.size() < problem.epochs()) {
      results.add(problem.after(configuration, results.size() + 1));
      good =
          results.size() == problem.epochs()
              || assessor.assess(trial, results) instanceof Assessor.Verdict.Good;
    }
    assessor.ended(trial, good, results);
    return results.size();
  }
}
