package io.orrery.core.experiment;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The retention of the metrics of an experiment.
 *
 * @param intermediate how long every intermediate result is kept; older ones are thinned out. Null
 *     keeps all of them
 * @param rollup about how many are left of each metric of a trial when they are thinned out, 4 or
 *     more
 * @param readEventFiles whether the scalars of TensorBoard event files that a trial writes into its
 *     output directory count as reported
 */
public record MetricPolicy(@Nullable Duration intermediate, int rollup, boolean readEventFiles) {
  /** As many as a chart of a thousand pixels shows. */
  public static final int STANDARD_ROLLUP = 1_000;

  /** Keeps everything that trials report themselves. */
  public static final MetricPolicy STANDARD = new MetricPolicy(null, STANDARD_ROLLUP, false);
}
