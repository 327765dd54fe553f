package io.orrery.tuner.search.bayes;

import io.orrery.core.experiment.TrialCost;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.surrogate.CostModel;
import io.orrery.tuner.surrogate.CostModel.Measured;
import io.orrery.tuner.surrogate.Price;
import java.util.List;

/**
 * The rule for how much the cost of a trial counts. At first the expected improvement is divided by
 * the cost, and less and less so the more of what may be spent is spent: "cost-cooling" (Lee,
 * Perrone, Archambeau, Seeger: "Cost-aware Bayesian optimization", 2020). Without cooling, a search
 * stays where trials are cheap, even if the best ones are not. Where there is no limit, each
 * suggestion draws how much they count.
 *
 * <p>Costs are learnt from trials that gave a number: one that failed may have cost anything. All
 * that ended count as spent.
 */
final class Spending {
  /** The label of the chance by which the exponent is drawn. */
  private static final int EXPONENT = 13;

  private final TrialCost cost;
  private final UnitCube cube;
  private final History history;
  private final CostModel model;
  private long known = -1;
  private double spent;

  /**
   * @param history of the search, as it goes on
   */
  Spending(TrialCost cost, UnitCube cube, History history) {
    this.cost = cost;
    this.cube = cube;
    this.history = history;
    model = new CostModel(cube);
  }

  /** The preference of cheap places for the next suggestion. */
  Price price(Rng rng) {
    long changes = history.changes();
    if (known != changes) {
      model.learn(measured(), changes - history.ended().size());
      spent =
          history.ended().stream().mapToDouble(Trial::cost).filter(one -> !Double.isNaN(one)).sum();
      known = changes;
    }
    double share = cost.share(history.suggestionsEnded(), spent);
    double exponent = Double.isNaN(share) ? rng.split(EXPONENT).nextDouble() : 1 - share;
    return new Price(model, exponent);
  }

  private List<Measured> measured() {
    return history.ended().stream()
        .filter(trial -> Double.isFinite(trial.loss()) && !Double.isNaN(trial.cost()))
        .map(trial -> new Measured(cube.place(trial.point()), Math.log(trial.cost())))
        .toList();
  }
}
