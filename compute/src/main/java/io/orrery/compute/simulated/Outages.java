package io.orrery.compute.simulated;

import java.util.random.RandomGenerator;

/**
 * The spells of outage of a platform, with quiet between, one after another. Asked about times that
 * only grow, so nothing is kept of what is over.
 */
final class Outages {
  private final Span every;
  private final Span lasting;
  private final RandomGenerator random;
  private double begins;
  private double ends;

  /**
   * @param every from the end of one to the next
   */
  Outages(Span every, Span lasting, RandomGenerator random) {
    this.every = every;
    this.lasting = lasting;
    this.random = random;
    next(0);
  }

  private void next(double from) {
    // Spells of no length, one right after another, would never end.
    begins = from + Math.max(1, every.draw(random));
    ends = begins + lasting.draw(random);
  }

  /**
   * How long it is out from a time on.
   *
   * @param time seconds since the simulation began; no less than asked about before
   * @return seconds until it is back, 0 when it is there
   */
  double remaining(double time) {
    while (ends <= time) {
      next(ends);
    }
    return time < begins ? 0 : ends - time;
  }
}
