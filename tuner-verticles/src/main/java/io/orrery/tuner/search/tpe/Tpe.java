package io.orrery.tuner.search.tpe;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Proposer;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio, Kégl: "Algorithms for
 * hyper-parameter optimization", NIPS 2011).
 *
 * <p>Trials are split by loss into a few good ones and the rest, and a density is laid through
 * either group. Among candidates drawn from the density of the good ones, the one at which it
 * exceeds the other density most is suggested: where good trials are and bad ones are not. {@link
 * Joint} does so with all parameters together, by rules of our own; {@link Independent} with each
 * by itself, by NNI's rules and with NNI's defaults, which {@code compatibility: nni} asks for.
 *
 * <p>Trials that still run take part with a presumed loss (a "constant liar"), so that suggestions
 * made at the same time differ.
 */
public final class Tpe implements Proposer {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "TPE",
              List.of(),
              "Models where good and bad trials lie, and tries where good ones prevail.",
              Set.copyOf(Description.ALL_TYPES),
              TpeOptions.ALL,
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          Axes axes = Axes.of(setting.space());
          return new PointTuner(axes, setting, new Tpe(axes, setting));
        }
      };

  private final Model model;
  private final Observations observations;

  private Tpe(Axes axes, Setting setting) {
    TpeOptions options = TpeOptions.of(setting.arguments(), setting.direction());
    model =
        options.joint()
            ? new Joint(axes, options, setting.effectiveSeed())
            : new Independent(axes, options);
    observations = new Observations(setting.direction(), model::remembered);
  }

  @Override
  public double[] propose(long number, Predicate<double[]> free, Rng rng) {
    return model.propose(number, observations, free, rng);
  }

  @Override
  public void begin(String parameterId, double[] point) {
    observations.begin(parameterId, point);
  }

  @Override
  public void end(Result result, double[] point) {
    observations.end(result, point);
  }
}
