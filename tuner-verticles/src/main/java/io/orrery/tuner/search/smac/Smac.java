package io.orrery.tuner.search.smac;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Set;

/**
 * A sequential model-based algorithm configuration (Hutter, Hoos, Leyton-Brown: "Sequential
 * model-based optimization for general algorithm configuration", LION 5, 2011), by NNI's name and
 * arguments but without the package that NNI needs for it. {@link ForestSearch} is the search.
 *
 * <p>Every type of parameter and nested choices are taken, where NNI refuses most of them, and the
 * search space may change. No parameter set is suggested twice, so {@code config_dedup} changes
 * nothing.
 */
public final class Smac {
  private static final Option<Boolean> CONFIG_DEDUP =
      Option.of(
          "config_dedup",
          new Shape.Flag(),
          "Accepted for NNI's sake: parameter sets never repeat here while others are left.");

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "SMAC",
              List.of(),
              "Learns a random forest, and looks where it expects most to be gained.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, CONFIG_DEDUP),
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          Axes axes = Axes.of(setting.space());
          return PointTuner.of(
              axes, setting, new ForestSearch(axes, setting.effectiveSeed())::next);
        }
      };

  private Smac() {}
}
