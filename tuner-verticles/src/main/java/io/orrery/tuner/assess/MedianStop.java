package io.orrery.tuner.assess;

import io.orrery.core.metric.Direction;
import io.orrery.core.number.RunningMean;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The median stopping rule (Golovin and others: "Google Vizier: a service for black-box
 * optimization", KDD 2017, section 3.2.2), as NNI has it: a trial is bad at step s when the best of
 * its results so far is worse than the median of the running averages that the trials which
 * succeeded had at step s.
 *
 * <p>Of an even number of averages the one in the middle that is the easier to reach counts: the
 * lower when more is better, the higher when less is. A result that is not finite counts by {@link
 * Direction#loss}: with one that is worse than anything so is an average, and what is no measure is
 * passed over. Trials that ended before step s have no say at s; when none has, every trial is
 * good.
 */
public final class MedianStop implements Assessor {
  private static final Option<Long> START_STEP =
      Option.of(
          "start_step",
          new Shape.Whole(0, 1_000_000_000),
          0L,
          "From how many intermediate results on a trial is judged.");

  /** The catalogue's entry. */
  public static final AssessorFactory FACTORY =
      new AssessorFactory() {
        @Override
        public Description description() {
          return new Description(
              "Medianstop",
              List.of(),
              "Stops trials whose best result lags behind the median of the others' averages.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, START_STEP),
              0);
        }

        @Override
        public Assessor open(Arguments arguments, Direction direction) {
          return new MedianStop(arguments.get(START_STEP), direction);
        }
      };

  private final long startStep;
  private final Direction direction;

  /**
   * For each step, from 1, the running averages of the trials that got there, as losses, sorted.
   */
  private final List<SortedNumbers> averages = new ArrayList<>();

  private MedianStop(long startStep, Direction direction) {
    this.startStep = startStep;
    this.direction = direction;
  }

  @Override
  public Verdict assess(String trial, List<Double> results) {
    int step = results.size();
    if (step < Math.max(1, startStep) || step > averages.size()) {
      return new Verdict.Good();
    }
    SortedNumbers others = averages.get(step - 1);
    if (others.isEmpty()) {
      return new Verdict.Good();
    }
    double best = Double.NaN;
    for (double result : results) {
      double loss = direction.loss(result);
      best = loss < best || Double.isNaN(best) ? loss : best;
    }
    double median = others.get(others.size() / 2);
    return best > median ? new Verdict.Bad(why(step, best, median)) : new Verdict.Good();
  }

  private String why(int step, double best, double median) {
    return String.format(
        Locale.ROOT,
        "the best of its %d intermediate results, %s, is worse than %s, the median of the running"
            + " averages that other trials had there",
        step,
        Losses.shown(best, direction),
        Losses.shown(median, direction));
  }

  @Override
  public void ended(String trial, boolean succeeded, List<Double> results) {
    if (!succeeded) {
      return;
    }
    RunningMean mean = new RunningMean();
    for (int step = 1; step <= results.size(); step++) {
      double loss = direction.loss(results.get(step - 1));
      if (!Double.isNaN(loss)) {
        mean.add(loss);
      }
      if (averages.size() < step) {
        averages.add(new SortedNumbers());
      }
      if (mean.count() > 0) {
        averages.get(step - 1).add(mean.mean());
      }
    }
  }
}
