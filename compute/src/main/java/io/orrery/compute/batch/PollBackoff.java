package io.orrery.compute.batch;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A backoff with jitter between looks at a service: the less happens the longer, twice as long
 * after each refusal, never shorter than it asks for, and by chance up to a fifth more or less, so
 * that servers that were started together do not ask together. Not thread safe.
 */
final class PollBackoff {
  private static final double SLOWER = 1.5;
  private static final double SPREAD = 0.2;

  private final Duration least;
  private final Duration most;
  private final RandomGenerator random;
  private Duration pause;

  /**
   * @param least the pause while something happens, above zero
   * @param most the longest pause, not counting chance
   */
  PollBackoff(Duration least, Duration most, RandomGenerator random) {
    this.least = least;
    this.most = most;
    this.random = random;
    this.pause = least;
  }

  /** Something happened. */
  void quicken() {
    pause = least;
  }

  /** The pause after a look at which nothing was new. */
  Duration idle() {
    Duration now = pause;
    pause = longer(SLOWER);
    return spread(now);
  }

  /**
   * The pause after a look that failed.
   *
   * @param asked what the service asked for; null when it did not
   */
  Duration refused(@Nullable Duration asked) {
    pause = longer(2);
    Duration next = spread(pause);
    return asked == null || next.compareTo(asked) > 0 ? next : asked.plus(spread(least));
  }

  private Duration longer(double factor) {
    Duration longer = Duration.ofMillis((long) Math.ceil(pause.toMillis() * factor));
    return longer.compareTo(most) < 0 ? longer : most;
  }

  private Duration spread(Duration span) {
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    return Duration.ofMillis(Math.max(1, Math.round(span.toMillis() * factor)));
  }
}
