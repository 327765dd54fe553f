package io.orrery.tuner.search.auto;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.bayes.BayesianSearch;
import io.orrery.tuner.search.bayes.Plan;
import io.orrery.tuner.surrogate.Acquisition;
import io.orrery.tuner.surrogate.Look;
import java.util.List;
import java.util.Set;

/** The default tuner. */
public final class Auto {
  private static final int COLD_START = 10;
  private static final double ELSEWHERE = 0.3;
  private static final double WARY = 0.3;
  private static final double ADDITIVE = 0.4;

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Auto",
              List.of(),
              "The default: models of several kinds, looked at in several ways; none can fail alone.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED),
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          return new BayesianSearch(setting, COLD_START, Auto::plan);
        }
      };

  private Auto() {}

  private static Plan plan(Rng rng) {
    double share = rng.nextDouble();
    Look look =
        share < ELSEWHERE ? Look.ELSEWHERE : share < ELSEWHERE + WARY ? Look.WARY : Look.TRUSTING;
    return new Plan(rng.nextDouble() < ADDITIVE, look, Acquisition.ExpectedImprovement::new);
  }
}
