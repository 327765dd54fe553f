package io.orrery.gateway;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
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
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Samples of one experiment and its trials. */
public final class Samples {
  public static final ExperimentId EXPERIMENT = new ExperimentId("digits01");
  public static final TrialRef TRIAL = new TrialRef(EXPERIMENT, new TrialId("abcde"));
  public static final AttemptRef ATTEMPT = new AttemptRef(TRIAL, 1);
  public static final Instant THEN = Instant.parse("2026-01-31T12:00:00Z");

  private Samples() {}

  public static Experiment experiment() {
    return new Experiment(
        EXPERIMENT,
        ResourceOwner.PUBLIC,
        spec(),
        ExperimentStatus.RUNNING,
        Map.of(TrialStatus.SUCCEEDED, 3L, TrialStatus.RUNNING, 2L),
        1,
        new Experiment.Best(
            TRIAL.trial(), MetricValue.of(0.93), new Parameters(Map.of("lr", 0.01))),
        12.5,
        THEN,
        THEN.plusSeconds(1),
        null,
        null);
  }

  public static ExperimentSpec spec() {
    return new ExperimentSpec(
        new ExperimentDescription(
            "digits",
            """
            {"trialCommand":"python3 train.py","tuner":{"name":"TPE","classArgs":{"token":"kept"}},
             "trainingService":{"platform":"remote","machineList":[{"host":"a","password":"hunter2"}]}}\
            """),
        new SearchSpec(
            SearchSpace.EMPTY,
            AlgorithmSpec.named("TPE"),
            null,
            Objectives.of(Direction.MAXIMIZE),
            7),
        JobSpec.of(
            "python3 train.py", "/code", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
        ExperimentLimits.of(4, 100L).withDurations(Duration.ofMinutes(90), null));
  }

  public static Trial trial() {
    return trial(TrialStatus.SUCCEEDED, 1, MetricValue.of(0.93), THEN.plusSeconds(2));
  }

  public static Trial running(@Nullable Instant startedAt) {
    return trial(TrialStatus.RUNNING, 1, null, startedAt);
  }

  public static Trial trial(
      TrialStatus status, int attempt, @Nullable MetricValue metric, @Nullable Instant startedAt) {
    return new Trial(
        TRIAL,
        4,
        status,
        null,
        attempt,
        List.of(
            new ParameterSet(
                0, "17", ParameterSource.ALGORITHM, new Parameters(Map.of("lr", 0.01)))),
        metric,
        status.isFinal() ? 0 : null,
        "/home/x",
        THEN,
        startedAt,
        null,
        List.of("baseline"));
  }

  /** A trial that succeeded, with values of the test's choice. */
  public static Trial result(
      String id, long sequenceId, Map<String, Object> values, MetricValue metric) {
    return new Trial(
        new TrialRef(EXPERIMENT, new TrialId(id)),
        sequenceId,
        TrialStatus.SUCCEEDED,
        null,
        1,
        List.of(new ParameterSet(0, "1", ParameterSource.ALGORITHM, new Parameters(values))),
        metric,
        0,
        null,
        THEN,
        THEN,
        THEN,
        List.of());
  }

  static Trials.Points points() {
    return new Trials.Points(
        7,
        List.of("default", "loss"),
        List.of("abcde", "fghij"),
        List.of(0L, 1L),
        List.of(TrialStatus.SUCCEEDED, TrialStatus.RUNNING),
        both(Double.NaN, null),
        both(0.5, null),
        both(Samples.THEN, null),
        both(1.5, null),
        Map.of("lr", both(0.1, 0.2), "name", both("a", null)));
  }

  private static <T> List<@Nullable T> both(@Nullable T one, @Nullable T other) {
    return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(one, other)));
  }

  static MetricPoint point(MetricKind kind, double value) {
    return new MetricPoint(
        Samples.ATTEMPT,
        "test",
        0,
        kind,
        0,
        null,
        Samples.THEN.toEpochMilli(),
        MetricValue.of(value));
  }

  static Audits.Entry auditEntry() {
    return new Audits.Entry(THEN, "ann", "10.0.0.7", "create", "user", "bob", null, "done", "");
  }
}
