package io.orrery.tuner.search.anneal;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Rows;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.encode.Vicinity;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.search.Lineage;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.surrogate.Design;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Draws about one of the best trials, from a neighbourhood that shrinks as trials come in: the
 * search that hyperopt calls annealing and NNI takes from there (Bergstra, Yamins, Cox: "Making a
 * science of model search", ICML 2013). Nothing is accepted or refused by a temperature; what cools
 * is the width of the neighbourhood, {@code 1 / (1 + 0.1 n)} of the scale after n trials, on all
 * parameters at once.
 *
 * <p>Four things differ from hyperopt, each measured over many problems. It begins with a Latin
 * hypercube instead of annealing from the first draw, which spares it a bad first branch of a
 * nested choice. It stays closer to the best: the rank of the trial that it starts from is
 * geometrically distributed with a mean of 1.5 instead of 2. The branch of a nested choice does not
 * cool: it is drawn as likely as it would beat the best trial, and the trial to start from is one
 * of that branch ({@link Lineage}). And integers are in order, so they cool as other numbers do.
 * {@code compatibility: nni} has none of them.
 */
public final class Anneal {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Anneal",
              List.of(),
              "Draws about the best trials, ever closer to them.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, Options.COMPATIBILITY),
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          Axes axes = Axes.of(setting.space());
          boolean asNni = setting.arguments().find(Options.COMPATIBILITY).isPresent();
          return PointTuner.of(
              axes,
              setting,
              asNni ? new Hyperopt(axes)::next : new Anneal(axes, setting.effectiveSeed())::next);
        }
      };

  private static final int STARTUP = 8;
  private static final double MEAN_RANK = 1.5;

  private final Axes axes;
  private final Rows rows;
  private final UnitCube cube;
  private final Vicinity vicinity;
  private final Design design;

  private Anneal(Axes axes, long seed) {
    this.axes = axes;
    rows = new Rows(axes);
    cube = new UnitCube(axes);
    vicinity = new Vicinity(axes);
    design = new Design(cube, STARTUP, Rng.keyed(seed, -1));
  }

  private Stream<double[]> next(History known, long number, Rng rng) {
    Stream<double[]> anywhere = Stream.generate(() -> cube.point(vicinity.anywhere(rng)));
    if (number < STARTUP) {
      return Stream.concat(Stream.of(cube.point(design.place((int) number))), anywhere);
    }
    List<Trial> ended = Lineage.byLoss(known);
    return ended.isEmpty() ? anywhere : Stream.generate(() -> about(ended, rng));
  }

  private double[] about(List<Trial> ended, Rng rng) {
    Lineage lineage = Lineage.drawn(axes, ended, rng);
    Best best = Best.of(ended);
    double[] anchor = Best.of(lineage.trials()).draw(MEAN_RANK, rng);
    double[] from = Vicinity.completed(lineage.bring(anchor), best.points());
    return cube.point(
        vicinity.draw(rows.of(from), axis -> Lineage.nested(axis) ? 0 : best.width(axis), rng));
  }
}
