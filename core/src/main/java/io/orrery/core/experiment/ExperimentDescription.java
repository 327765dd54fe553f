package io.orrery.core.experiment;

import org.jspecify.annotations.Nullable;

/**
 * The description of an experiment: what its readers are shown of it.
 *
 * @param name a label, may be null
 * @param config the whole configuration in NNI's v3 form with defaults, JSON text: what clients of
 *     NNI are shown
 */
public record ExperimentDescription(@Nullable String name, String config) {
  /** The one of an experiment whose configuration no client is shown. */
  public static ExperimentDescription named(@Nullable String name) {
    return new ExperimentDescription(name, "{}");
  }
}
