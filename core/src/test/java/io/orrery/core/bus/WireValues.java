package io.orrery.core.bus;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.Share;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values that the records of the wire tests are made of. */
final class WireValues {
  static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  static final ExperimentId EXPERIMENT = new ExperimentId("abcd1234");
  static final TrialRef TRIAL = new TrialRef(EXPERIMENT, new TrialId("t0001"));
  static final AttemptRef ATTEMPT = new AttemptRef(TRIAL, 2);
  static final Parameters PARAMETERS = parameters();
  static final SearchSpace SPACE =
      new SearchSpace(
          Map.of(
              "opt",
              new Dimension.Choice(
                  List.of(
                      new Dimension.Branch(
                          "sgd", new SearchSpace(Map.of("lr", new Dimension.Uniform(0, 1)))),
                      new Dimension.Branch("none", SearchSpace.EMPTY)))));
  static final AlgorithmSpec TPE = new AlgorithmSpec("TPE", null, null, PARAMETERS);
  static final ExperimentSpec SPEC =
      new ExperimentSpec(
          ExperimentDescription.named(null),
          new SearchSpec(
              SPACE,
              TPE,
              new AlgorithmSpec(null, "a.B", "/mine", Parameters.EMPTY),
              Objectives.of(Direction.MINIMIZE),
              -7L),
          new JobSpec(
              "ls",
              "/code",
              0,
              true,
              false,
              new TrainingServiceSpec("local", PARAMETERS),
              null,
              MetricPolicy.STANDARD),
          ExperimentLimits.of(2, 10L)
              .withDurations(Duration.ofHours(1), null)
              .withRetry(
                  new RetryPolicy(3, Duration.ofMillis(1_500), Set.of(RetryPolicy.Cause.LOST))));
  static final ExperimentSpec LEAST =
      new ExperimentSpec(
          ExperimentDescription.named("n"),
          SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, Long.MAX_VALUE),
          JobSpec.of("ls", "/", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
          new ExperimentLimits(
              1,
              3,
              Share.EQUAL,
              null,
              null,
              Duration.ofSeconds(5),
              RetryPolicy.NONE,
              FailureLimits.STANDARD));
  static final MetricValue OBJECT = new MetricValue(Double.NaN, "{\"loss\":1}");
  static final MetricPoint POINT =
      new MetricPoint(ATTEMPT, "file", 3, MetricKind.FINAL, 0, null, THEN.toEpochMilli(), OBJECT);
  static final MetricPoint INFINITE =
      new MetricPoint(
          ATTEMPT,
          "file",
          4,
          MetricKind.INTERMEDIATE,
          1,
          "7",
          0,
          MetricValue.of(Double.NEGATIVE_INFINITY));
  static final Metrics.Curve CURVE =
      new Metrics.Curve(
          2,
          new long[] {0, 7},
          new double[] {0.5, Double.NaN},
          new long[] {THEN.toEpochMilli(), 0},
          POINT,
          9);
  static final Experiment VIEW =
      new Experiment(
          EXPERIMENT,
          ResourceOwner.PUBLIC,
          SPEC,
          ExperimentStatus.NO_MORE_TRIAL,
          Map.of(TrialStatus.SUCCEEDED, 3L),
          2,
          new Experiment.Best(TRIAL.trial(), OBJECT, PARAMETERS),
          1.5,
          THEN,
          THEN,
          null,
          null);
  static final Experiment FRESH =
      new Experiment(
          EXPERIMENT,
          ResourceOwner.PUBLIC,
          LEAST,
          ExperimentStatus.INITIALIZED,
          Map.of(),
          0,
          null,
          0,
          THEN,
          null,
          THEN,
          "why");
  static final Trial RUN =
      new Trial(
          TRIAL,
          4,
          TrialStatus.RUNNING,
          null,
          2,
          List.of(
              new ParameterSet(0, "h-1", ParameterSource.ALGORITHM, PARAMETERS),
              new ParameterSet(1, null, ParameterSource.CUSTOMIZED, Parameters.EMPTY)),
          MetricValue.of(Double.POSITIVE_INFINITY),
          null,
          "/dir",
          THEN,
          THEN,
          null,
          List.of("best"));

  private static Parameters parameters() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("lr", 0.1);
    values.put("n", 3);
    values.put("big", 1L << 40);
    values.put("nothing", null);
    values.put("branch", Map.of("_name", "x", "list", List.of(1, "a", true)));
    return new Parameters(values);
  }

  private WireValues() {}
}
