package io.orrery.core.metric;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether more or less is better. */
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

  /** Whether {@code a} is a better result than {@code b}; a NaN is never better. */
  public boolean better(double a, double b) {
    if (Double.isNaN(a)) {
      return false;
    }
    return Double.isNaN(b) || (this == MAXIMIZE ? a > b : a < b);
  }

  /** The best of some results; of equals, and of those that are no number, the first. */
  public Optional<MetricValue> best(Stream<MetricValue> results) {
    return results.reduce((best, next) -> better(next.number(), best.number()) ? next : best);
  }
}
