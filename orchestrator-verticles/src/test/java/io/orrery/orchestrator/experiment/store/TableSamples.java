package io.orrery.orchestrator.experiment.store;

import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of experiments and trials for tests of the tables. */
final class TableSamples {
  static final ExperimentId ID = new ExperimentId("exp00001");
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private TableSamples() {}

  static TrialState settled(TrialState trial, double metric) {
    return settled(trial, new MetricValue(metric, document(trial.sequence)));
  }

  static TrialState settled(TrialState trial, MetricValue result) {
    long i = trial.sequence;
    return trial.restore(
        new TrialState.Stored(
            Phase.SETTLED,
            TrialStatus.SUCCEEDED,
            1,
            null,
            null,
            null,
            result,
            0,
            "/trials/" + i,
            START,
            START.plusSeconds(100 - i),
            2 * i + 2));
  }

  /** From 1 down; one of them with words in it as well. */
  static String document(long i) {
    String note = i == 2 ? ",\"note\":\"bare\"" : "";
    return "{\"default\":0,\"loss\":" + (1 - i / 5.0) + note + "}";
  }

  static TrialState trial(int i) {
    return trial(i, new Parameters(Map.of("x", i)));
  }

  static TrialState trial(int i, Parameters values) {
    return new TrialState(
        new TrialRef(ID, new TrialId("trial00" + i)),
        i,
        List.of(
            new GivenSet(
                new ParameterSet(0, String.valueOf(i), ParameterSource.ALGORITHM, values),
                2L * i + 1)),
        START);
  }

  static ExperimentSpec spec(@Nullable String name) {
    return new ExperimentSpec(
        ExperimentDescription.named(name),
        SearchSpec.random(
            new SearchSpace(Map.of("x", new Dimension.RandInt(0, 100))), Direction.MAXIMIZE, 7),
        JobSpec.of("true", "/code", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
        ExperimentLimits.of(1, 10L));
  }
}
