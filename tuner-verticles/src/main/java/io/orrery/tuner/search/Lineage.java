package io.orrery.tuner.search;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History.Trial;
import java.util.Comparator;
import java.util.List;

/**
 * The trials that went one way through nested choices, for algorithms that go on from the best few:
 * without it these would all be of the branch in which something fair was found first.
 *
 * @param trials those that took the same branches, best first; all where a branch has none yet
 * @param branches the way: its option for each nested choice on it, NaN for all other axes
 */
public record Lineage(List<Trial> trials, double[] branches) {
  /** One imagined trial stands for what is not known of a branch. */
  private static final double UNKNOWN = 1;

  /** The trials that gave a measure, best first. */
  public static List<Trial> byLoss(History known) {
    return known.ended().stream()
        .filter(trial -> !Double.isNaN(trial.loss()))
        .sorted(Comparator.comparingDouble(Trial::loss))
        .toList();
  }

  /**
   * A way, drawn at each choice by {@link Branches}; without nested choices all trials, and nothing
   * is drawn.
   *
   * @param byLoss trials, best first
   */
  public static Lineage drawn(Axes axes, List<Trial> byLoss, Rng rng) {
    Way way = new Way(byLoss, rng);
    double[] branches = axes.point(way::branch);
    for (Axis axis : axes.all()) {
      if (!nested(axis)) {
        branches[axis.index()] = Double.NaN;
      }
    }
    return new Lineage(way.same, branches);
  }

  /** A point or row with the options of the way in place of its own. */
  public double[] bring(double[] point) {
    double[] brought = point.clone();
    for (int axis = 0; axis < brought.length; axis++) {
      brought[axis] = Double.isNaN(branches[axis]) ? brought[axis] : branches[axis];
    }
    return brought;
  }

  /** Whether an axis is a choice between branches, so that its option is settled already. */
  public static boolean nested(Axis axis) {
    return axis.dimension() instanceof Choice choice && choice.nested();
  }

  private static final class Way {
    private final Rng rng;
    private List<Trial> same;

    Way(List<Trial> all, Rng rng) {
      this.same = all;
      this.rng = rng;
    }

    double branch(Axis axis) {
      if (!nested(axis)) {
        return 0;
      }
      Branches branches = new Branches((int) axis.categories(), UNKNOWN);
      for (Trial trial : same) {
        double option = trial.point()[axis.index()];
        if (!Double.isNaN(option)) {
          branches.add((int) option, trial.loss());
        }
      }
      int branch = branches.draw(rng);
      List<Trial> taken =
          same.stream().filter(trial -> trial.point()[axis.index()] == branch).toList();
      same = taken.isEmpty() ? same : taken;
      return branch;
    }
  }
}
