package io.orrery.core.experiment;

import org.jspecify.annotations.Nullable;

/**
 * The number of failed trials after which an experiment ends with an error.
 *
 * @param total failed trials in all, 1 or more; null is unlimited
 * @param inRow failed trials one after the other, 1 or more; null applies the standard: unlimited
 *     once a trial has succeeded, before that {@link #BEFORE_SUCCESS} or the number of trials that
 *     run at once, whichever is more
 */
public record FailureLimits(@Nullable Long total, @Nullable Long inRow) {
  /** How many trials may fail before the first success where nothing was said. */
  public static final int BEFORE_SUCCESS = 20;

  /** Nothing was said. */
  public static final FailureLimits STANDARD = new FailureLimits(null, null);
}
