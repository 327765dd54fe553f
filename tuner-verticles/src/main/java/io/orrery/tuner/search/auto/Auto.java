package io.orrery.tuner.search.auto;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.bayes.BayesianSearch;
import io.orrery.tuner.search.bayes.Plan;
import io.orrery.tuner.search.nsga.NsgaII;
import io.orrery.tuner.surrogate.Acquisition;
import io.orrery.tuner.surrogate.Look;
import java.util.List;
import java.util.Set;

/**
 * The default tuner: Bayesian optimisation that presumes as little as possible.
 *
 * <p>No model is right for every problem, and no test of which one is right is sure after twenty
 * trials. So instead of choosing one, each suggestion draws what it believes:
 *
 * <ul>
 *   <li><b>Structure.</b> Many losses of tuning are nearly sums of effects of one or two
 *       parameters, and then a model that may add up (Duvenaud, Nickisch, Rasmussen: "Additive
 *       Gaussian processes", NIPS 2011) sees in a hundred trials what the usual one sees in
 *       thousands. Where they are not, or where there is much noise, the usual one is better. They
 *       take turns.
 *   <li><b>Scale.</b> Losses are warped before either model sees them, as in HEBO (Cowen-Rivers et
 *       al., JAIR 2022).
 *   <li><b>Doubt.</b> A model with the likeliest hyper-parameters is too sure of itself. Part of
 *       the suggestions have some that were drawn from their posterior ({@link Look#WARY}).
 *   <li><b>Other places.</b> A search that converges to where it first saw something good is the
 *       commonest failure, in nested choices above all: one branch is known well and looks better
 *       than another of which two bad places are known. Part of the suggestions are the best of
 *       another branch or valley ({@link Look#ELSEWHERE}), and once the valley of the best place is
 *       settled, most are.
 *   <li><b>Failures.</b> Where trials crash because of their parameters the search keeps away, and
 *       where they crash by chance it tries again nearby ({@link
 *       io.orrery.tuner.surrogate.SuccessModel}).
 * </ul>
 *
 * <p>Where results are noisy and the user wants it, the best configuration is tried again when that
 * is worth more than a new one ({@link Options#REPEATS}).
 *
 * <p>How often it looks where is said by {@link Plan#look}. Of several objectives it knows no
 * model: then it is {@link NsgaII}.
 */
public final class Auto {
  private static final int COLD_START = 10;
  private static final double ADDITIVE = 0.4;

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Auto",
              List.of(),
              "The default: models of several kinds, looked at in several ways; none can fail"
                  + " alone.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, Options.REPEATS),
              0,
              true);
        }

        @Override
        public Tuner open(Setting setting) {
          return setting.objectives().several()
              ? NsgaII.open(setting)
              : BayesianSearch.openLearningFailures(setting, COLD_START, Auto::plan);
        }
      };

  private Auto() {}

  private static Plan plan(Rng rng) {
    Look look = Plan.look(rng);
    return new Plan(rng.nextDouble() < ADDITIVE, look, Acquisition.ExpectedImprovement::new);
  }
}
