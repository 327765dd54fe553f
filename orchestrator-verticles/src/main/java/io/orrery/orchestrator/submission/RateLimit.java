package io.orrery.orchestrator.submission;

/**
 * The highest rate of submissions to a platform.
 *
 * @param perSecond over time, more than 0
 * @param burst at once after a rest, 1 or more
 */
public record RateLimit(double perSecond, int burst) {
  public RateLimit {
    if (!(perSecond > 0) || Double.isInfinite(perSecond) || burst < 1) {
      throw new IllegalArgumentException(perSecond + " a second, " + burst + " at once");
    }
  }

  /** For people. */
  String words() {
    String rate =
        perSecond == Math.rint(perSecond)
            ? Long.toString(Math.round(perSecond))
            : Double.toString(perSecond);
    return rate + " trials a second";
  }
}
