package io.orrery.tuner.assess;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stopping rule for who does not know whether early results tell anything: it finds out. A
 * trial is stopped when three results in a row say that it is worse than every good trial was when
 * it was as young. Where early values predict final ones, that saves about as much as the usual
 * rules. Where they do not, some good trial was once as bad as any, and nothing is stopped.
 *
 * <p>A good trial is one that ended among the best quarter of a <em>fair sample</em>: the first ten
 * that succeeded, and one in twenty of those that came later, drawn by their names and never
 * stopped. Without these probes the rule would be taught by its own survivors only, and grow
 * stricter from its own mistakes; every other trial that ends as well as these counts as good too,
 * so that the bound can only become milder by what is learnt.
 *
 * <p>A trial is measured by its best result so far, a good one by what it had right at that step:
 * so noise in the curves is a margin by itself. Why three in a row: on published learning curves
 * nearly all good trials that a single comparison lost were lost at the first or second result.
 *
 * <p>It compares values and never adds them, so the scale of the metric does not matter; those that
 * are not finite compare by {@link Direction#loss}. The idea of a bound learnt from trials that are
 * let through is that of Golovin and others' median rule (KDD 2017) turned round: theirs asks how
 * the middle did, whatever early values are worth.
 */
public final class AutoStop implements Assessor {
  /** So many trials run to their end before any is judged. */
  private static final int FIRST = 10;

  /** The share of later trials that are let through to learn from. */
  private static final double PROBES = 0.05;

  private static final double GOOD = 0.25;
  private static final int FEWEST_GOOD = 3;
  private static final int IN_A_ROW = 3;

  /** What is remembered; older trials are forgotten, so that memory has a bound. */
  private static final int MOST = 1_000;

  /** The catalogue's entry. */
  public static final AssessorFactory FACTORY =
      new AssessorFactory() {
        @Override
        public Description description() {
          return new Description(
              "Auto",
              List.of(),
              "Stops trials that are worse than any good one was, as far as that says anything.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE),
              0);
        }

        @Override
        public Assessor open(Arguments arguments, Direction direction) {
          return new AutoStop(direction);
        }
      };

  private final Direction direction;

  /** The curves of trials that succeeded, as losses, the newest last. */
  private final Deque<double[]> ended = new ArrayDeque<>();

  /** The last losses of the fair sample, the newest last. */
  private final Deque<Double> sample = new ArrayDeque<>();

  /** By step the worst loss that a good trial had there; null when it is to be made anew. */
  private double @Nullable [] bound;

  private AutoStop(Direction direction) {
    this.direction = direction;
  }

  @Override
  public Verdict assess(String trial, List<Double> results) {
    int step = results.size();
    if (sample.size() < FIRST || step < IN_A_ROW || probe(trial)) {
      return new Verdict.Good();
    }
    double[] worst = bound();
    if (step > worst.length) {
      return new Verdict.Good();
    }
    double best = Double.NaN;
    int bad = 0;
    for (int i = 0; i < step; i++) {
      double loss = direction.loss(results.get(i));
      best = loss < best || Double.isNaN(best) ? loss : best;
      bad = best > worst[i] ? bad + 1 : 0;
    }
    return bad >= IN_A_ROW ? new Verdict.Bad(why(step, best, worst[step - 1])) : new Verdict.Good();
  }

  private String why(int step, double best, double worst) {
    return String.format(
        Locale.ROOT,
        "the best of its %d intermediate results, %s, is worse than %s, the worst that a good"
            + " trial had there",
        step,
        Losses.shown(best, direction),
        Losses.shown(worst, direction));
  }

  @Override
  public void ended(String trial, boolean succeeded, List<Double> results) {
    if (!succeeded || results.isEmpty()) {
      return;
    }
    double[] curve = results.stream().mapToDouble(direction::loss).toArray();
    if (Double.isNaN(curve[curve.length - 1])) {
      return;
    }
    ended.addLast(curve);
    if (sample.size() < FIRST || probe(trial)) {
      sample.addLast(curve[curve.length - 1]);
    }
    if (ended.size() > MOST) {
      ended.removeFirst();
    }
    if (sample.size() > MOST) {
      sample.removeFirst();
    }
    bound = null;
  }

  private double[] bound() {
    if (bound == null) {
      double good = goodLoss();
      List<double[]> curves = ended.stream().filter(c -> c[c.length - 1] <= good).toList();
      double[] worst = new double[curves.stream().mapToInt(c -> c.length).min().orElse(0)];
      Arrays.fill(worst, Double.NEGATIVE_INFINITY);
      for (double[] curve : curves) {
        for (int i = 0; i < worst.length; i++) {
          worst[i] =
              Math.max(worst[i], Double.isNaN(curve[i]) ? Double.POSITIVE_INFINITY : curve[i]);
        }
      }
      bound = worst;
    }
    return bound;
  }

  /** Up to which loss an end is a good one. */
  private double goodLoss() {
    double[] sorted = sample.stream().mapToDouble(loss -> loss).sorted().toArray();
    int good = Math.max(FEWEST_GOOD, (int) Math.ceil(GOOD * sorted.length));
    return sorted[Math.min(good, sorted.length) - 1];
  }

  private static boolean probe(String trial) {
    return Rng.keyed(trial.hashCode(), 0).nextDouble() < PROBES;
  }
}
