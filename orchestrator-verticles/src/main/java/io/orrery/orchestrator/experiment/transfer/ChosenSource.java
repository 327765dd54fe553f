package io.orrery.orchestrator.experiment.transfer;

import io.orrery.core.experiment.Experiment;
import java.util.Map;

/**
 * An earlier experiment that a new one learns from.
 *
 * @param renamed for each of its parameters that has another name here, that name
 */
public record ChosenSource(Experiment experiment, Map<String, String> renamed) {
  public ChosenSource {
    renamed = Map.copyOf(renamed);
  }
}
