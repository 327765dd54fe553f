package io.orrery.core.metric;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The direction of a metric: whether more or less is better. */
public enum Direction {
  MAXIMIZE("maximize"),
  MINIMIZE("minimize");

  private final String text;

  Direction(String text) {
    this.text = text;
  }

  @JsonValue
  public String text() {
    return text;
  }

  /**
   * The loss that a reported number counts as: less is better. A number that is not finite counts
   * by one rule wherever results are compared: NaN, and infinity in the bad direction, are worse
   * than anything, since that is how a training looks that has diverged; infinity in the good
   * direction is no measure of anything, since nothing could ever be better.
   *
   * @return positive infinity for what is worse than anything; NaN for what is no measure
   */
  public double loss(double reported) {
    if (Double.isNaN(reported)) {
      return Double.POSITIVE_INFINITY;
    }
    double loss = this == MINIMIZE ? reported : -reported;
    return loss == Double.NEGATIVE_INFINITY ? Double.NaN : loss;
  }

  /**
   * The same as a result in its own direction, for who asks for numbers and not for losses.
   *
   * @return infinity in the bad direction for what is worse than anything; NaN for no measure
   */
  public double measure(double reported) {
    double loss = loss(reported);
    return Double.isFinite(loss) ? reported : this == MINIMIZE ? loss : -loss;
  }

  /**
   * Whether {@code a} is a better result than {@code b}, by {@link #loss}. What is no measure is
   * never better, and any measure is better than that.
   */
  public boolean better(double a, double b) {
    double mine = loss(a);
    double others = loss(b);
    return mine < others || (Double.isNaN(others) && !Double.isNaN(mine));
  }

  /** Orders results by {@link #loss}, the best first; what is no measure comes last. */
  public Comparator<Double> bestFirst() {
    // Zero with either sign is the same.
    return Comparator.comparingDouble(reported -> loss(reported) + 0.0);
  }

  /** The best of some results; of equals, and of those that are no number, the first. */
  public Optional<MetricValue> best(Stream<MetricValue> results) {
    return results.reduce((best, next) -> better(next.number(), best.number()) ? next : best);
  }
}
