package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.json.Json;
import io.orrery.core.schema.Walk;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The choice of what a search takes for the cost of trials, as {@code cost} says it. */
public final class CostChoice {
  /** The word for the measured time; any other one is the name of a metric. */
  static final String DURATION = "duration";

  private static final String KEY = "cost";

  private CostChoice() {}

  /** The choice of an experiment that was read; null when the search does not look at costs. */
  public static @Nullable TrialCost of(ExperimentSpec spec) {
    JsonNode given = Json.parse(spec.description().config()).path(KEY);
    if (!given.isTextual()) {
      return null;
    }
    ExperimentLimits limits = spec.limits();
    Duration most = limits.maxExperimentDuration();
    return new TrialCost(
        given.textValue().equals(DURATION) ? null : given.textValue(),
        limits.maxTrialNumber(),
        most == null ? null : most.multipliedBy(limits.trialConcurrency()));
  }

  /** Refuses it where the search does not look at costs. */
  static void check(ObjectNode root, AlgorithmReader.Search search, Walk walk) {
    boolean auto = "Auto".equalsIgnoreCase(search.tuner().name());
    if (root.has(KEY)
        && !walk.faultyWithin("/" + KEY)
        && (!auto || search.objectives().several())) {
      walk.refuse(
          "/" + KEY,
          "must be left out here: only the tuner Auto with one objective takes costs into account");
    }
  }
}
