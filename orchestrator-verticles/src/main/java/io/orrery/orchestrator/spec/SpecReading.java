package io.orrery.orchestrator.spec;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

public record SpecReading(
    @Nullable ExperimentSpec spec, List<Finding> findings, List<String> notices) {
  public SpecReading with(List<Finding> more) {
    return this;
  }
}
