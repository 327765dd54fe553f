package io.orrery.tuner.search;

import io.orrery.core.trial.Parameters;
import java.util.List;

/**
 * An earlier experiment of which a search may learn: its parameters and what came of them.
 *
 * @param experiment its id, as it is reported
 * @param samples in the order of their results
 */
public record SourceTask(String experiment, List<Sample> samples) {
  /**
   * A trial of an earlier experiment.
   *
   * @param loss less is better; NaN where there was no result
   */
  public record Sample(Parameters parameters, double loss) {}

  public SourceTask {
    samples = List.copyOf(samples);
  }
}
