package io.orrery.studio.notebook;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when an unused notebook is warned of and stopped. Pure.
 *
 * @param limit the time without use after which it is stopped
 */
record IdleModel(Duration limit) {
  private static final Duration QUIET = Duration.ofMinutes(10);
  private static final Duration WARNING = Duration.ofHours(1);
  private static final int QUARTER = 4;

  /** A decision. */
  enum Step {
    KEEP,
    /** Its users are to be warned. */
    WARN,
    STOP
  }

  /** The instant at which it is stopped unless it is used before. */
  Instant expiresAt(Instant usedAt) {
    return usedAt.plus(limit);
  }

  /** Whether it counts as idle: for ten minutes, or a quarter of a shorter limit. */
  boolean isQuiet(Instant usedAt, Instant now) {
    return !now.isBefore(usedAt.plus(smaller(QUIET, limit.dividedBy(QUARTER))));
  }

  /** The instant of the warning: an hour before it is stopped, or a quarter of a shorter limit. */
  Instant warnsAt(Instant usedAt) {
    return expiresAt(usedAt).minus(smaller(WARNING, limit.dividedBy(QUARTER)));
  }

  /**
   * The step that is due.
   *
   * @param warnedAt when its users were warned last; null for never
   */
  Step step(Instant usedAt, @Nullable Instant warnedAt, Instant now) {
    if (!now.isBefore(expiresAt(usedAt))) {
      return Step.STOP;
    }
    Instant due = warnsAt(usedAt);
    boolean warned = warnedAt != null && !warnedAt.isBefore(due);
    return now.isBefore(due) || warned ? Step.KEEP : Step.WARN;
  }

  private static Duration smaller(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
