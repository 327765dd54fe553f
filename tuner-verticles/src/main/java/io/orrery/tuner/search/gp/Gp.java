package io.orrery.tuner.search.gp;

import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.bayes.BayesianSearch;
import io.orrery.tuner.search.bayes.Plan;
import io.orrery.tuner.search.bayes.Repeats;
import io.orrery.tuner.surrogate.Surrogate;
import java.util.List;
import java.util.Set;

/**
 * A Bayesian optimisation with a Gaussian process, NNI's {@code GPTuner} by name and arguments.
 *
 * <p>Where NNI fits a kernel with one length scale to what it saw and tries a hundred thousand
 * random places, this learns a length scale for each parameter, the noise, and how the losses have
 * to be warped, and climbs from a few hundred candidates; takes every type of parameter, nested
 * choices as well; and begins with a Latin hypercube. Priors on the length scales grow with the
 * root of the number of parameters (Hvarfner, Hellsten, Nardi: "Vanilla Bayesian optimization
 * performs great in high dimensions", ICML 2024).
 *
 * <p>A single model that is always trusted goes on where it first saw something good: into the
 * wrong branch of a nested choice, or the second best valley. So some suggestions come from
 * hyper-parameters that are drawn from their posterior (as Snoek, Larochelle, Adams: "Practical
 * Bayesian optimization of machine learning algorithms", NIPS 2012, average over them), and some
 * look elsewhere, see {@link Plan#look}.
 */
public final class Gp {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "GP",
              List.of("GPTuner"),
              "Believes in a smooth function, and looks where it is most likely to be better.",
              Set.copyOf(Description.ALL_TYPES),
              GpOptions.ALL,
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          Surrogate.Aim aim = GpOptions.aim(setting.arguments());
          return BayesianSearch.open(
              setting,
              GpOptions.coldStart(setting.arguments()),
              Repeats.wanted(setting),
              rng -> new Plan(false, Plan.look(rng), aim));
        }
      };

  private Gp() {}
}
