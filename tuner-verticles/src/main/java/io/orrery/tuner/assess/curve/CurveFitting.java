package io.orrery.tuner.assess.curve;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Stops trials whose learning curve, extrapolated, will not come near the best (Domhan,
 * Springenberg, Hutter, IJCAI 2015), with NNI's arguments and defaults: from {@code start_step}
 * results on, whenever {@code gap} more are in, the curve is continued to {@code epoch_num}, and
 * the trial is bad when what it will have there is no more than {@code threshold} times the last
 * result of the best trial that succeeded. Until one has succeeded all are good, and so is a trial
 * whose curve cannot be told.
 *
 * <p>Results that are not finite tell nothing of a curve, but a trial whose last four are worse
 * than anything ({@link Direction#loss}) has diverged, and is bad.
 *
 * <p>NNI knows only larger metrics as better, and only positive ones: here {@code threshold} leaves
 * a margin of (1 - threshold) |best| in either direction, which is the same for those. A threshold
 * above 1, as NNI's first releases had it for lower metrics, leaves (threshold - 1) |best| there.
 */
public final class CurveFitting implements Assessor {
  private static final Option<Long> EPOCHS =
      Option.of(
          "epoch_num",
          new Shape.Whole(1, 1_000_000),
          20L,
          "How many intermediate results a trial has that runs to its end.");
  private static final Option<Long> START_STEP =
      Option.of(
          "start_step",
          new Shape.Whole(0, 1_000_000_000),
          6L,
          "From how many intermediate results on a trial is judged.");
  private static final Option<Double> THRESHOLD =
      Option.of(
          "threshold",
          new Shape.Real(0, 9_999),
          0.95,
          "Which part of the best result a trial must be about to reach. Above 1, when lower is"
              + " better: how many times the best result it may come to; when higher is better, it"
              + " counts as 1.");
  private static final Option<Long> GAP =
      Option.of(
          "gap",
          new Shape.Whole(1, 1_000_000_000),
          1L,
          "After how many more intermediate results a trial is judged again.");

  /** So many results in a row that are not finite show that a training has diverged. */
  private static final int DIVERGED = 4;

  /** The catalogue's entry. */
  public static final AssessorFactory FACTORY =
      new AssessorFactory() {
        @Override
        public Description description() {
          return new Description(
              "Curvefitting",
              List.of(),
              "Stops trials whose extrapolated learning curve falls short of the best result.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, EPOCHS, START_STEP, THRESHOLD, GAP),
              0);
        }

        @Override
        public Assessor open(Arguments arguments, Direction direction) {
          return new CurveFitting(arguments, direction);
        }
      };

  private final int epochs;
  private final long startStep;
  private final double threshold;
  private final long gap;
  private final Direction direction;

  /** After how many results each running trial was judged last. */
  private final Map<String, Integer> judged = new HashMap<>();

  /** The best last finite result of a trial that succeeded; NaN before there is one. */
  private double best = Double.NaN;

  private CurveFitting(Arguments arguments, Direction direction) {
    this.epochs = arguments.get(EPOCHS).intValue();
    this.startStep = arguments.get(START_STEP);
    this.threshold = arguments.get(THRESHOLD);
    this.gap = arguments.get(GAP);
    this.direction = direction;
  }

  @Override
  public Verdict assess(String trial, List<Double> results) {
    int step = results.size();
    boolean early = step < startStep || Double.isNaN(best);
    Integer last = judged.get(trial);
    if (early || step >= epochs || (last != null && step - last < gap)) {
      return new Verdict.Good();
    }
    judged.put(trial, step);
    double sign = direction == Direction.MAXIMIZE ? 1 : -1;
    double[] gains = results.stream().mapToDouble(value -> -direction.loss(value)).toArray();
    if (diverged(gains)) {
      return new Verdict.Bad(
          "the last of its %d intermediate results are not finite numbers".formatted(step));
    }
    boolean times = threshold > 1 && direction == Direction.MINIMIZE;
    double margin = times ? threshold - 1 : 1 - threshold;
    double least = sign * best - margin * Math.abs(best);
    double expected = Extrapolation.at(epochs, gains).orElse(Double.POSITIVE_INFINITY);
    return expected <= least && expected < sign * best
        ? new Verdict.Bad(why(step, sign * expected))
        : new Verdict.Good();
  }

  /** Whether the last few results are all worse than anything: no family of curves comes back. */
  private static boolean diverged(double[] gains) {
    for (int i = Math.max(0, gains.length - DIVERGED); i < gains.length; i++) {
      if (gains[i] != Double.NEGATIVE_INFINITY) {
        return false;
      }
    }
    return true;
  }

  private String why(int step, double expected) {
    return String.format(
        Locale.ROOT,
        "its %d intermediate results lead to %.6g at epoch %d, and the best trial has %.6g",
        step,
        expected,
        epochs,
        best);
  }

  @Override
  public void ended(String trial, boolean succeeded, List<Double> results) {
    judged.remove(trial);
    double last = succeeded && !results.isEmpty() ? results.getLast() : Double.NaN;
    if (Double.isFinite(last) && (Double.isNaN(best) || direction.better(last, best))) {
      best = last;
    }
  }
}
