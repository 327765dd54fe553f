package io.orrery.orchestrator.experiment.model;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** An experiment, and those who deal with it: its tuner, its platform and the store. */
abstract class ExperimentModelFixture {
  static final ExperimentId ID = new ExperimentId("exp00001");
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  static final RetryPolicy RETRYING =
      new RetryPolicy(5, Duration.ZERO, Set.of(RetryPolicy.Cause.FAILED, RetryPolicy.Cause.LOST));

  Instant now = START;

  List<Decision> decide(ExperimentModel model, Occurrence occurrence) {
    return CheckedDecision.of(model, occurrence, now);
  }

  /** Stores what has changed, as the owner does. */
  List<Decision> commit(ExperimentModel model) {
    List<TrialId> planned =
        model.takeChanges().trials().stream()
            .filter(trial -> trial.phase() == Phase.PLANNED)
            .map(trial -> trial.ref.trial())
            .toList();
    return decide(model, new Occurrence.Committed(planned));
  }

  /** The trials as a restarted server reads them. */
  static List<TrialState> stored(ExperimentModel model) {
    List<TrialState> copies = new ArrayList<>();
    for (TrialState t : model.moving()) {
      TrialState copy = new TrialState(t.ref, t.sequence, t.sets().all(), t.createdAt);
      TrialState.Stored s = t.stored();
      // A submission is not stored: the row still says PLANNED.
      Phase phase = s.phase() == Phase.SUBMITTED ? Phase.PLANNED : s.phase();
      copies.add(
          copy.restore(
              new TrialState.Stored(
                  phase,
                  s.status(),
                  s.attempt(),
                  s.reason(),
                  s.ending(),
                  s.notBefore(),
                  s.metric(),
                  s.exitCode(),
                  s.directory(),
                  s.startedAt(),
                  s.endedAt(),
                  s.settledOrdinal())));
    }
    return copies;
  }

  ExperimentModel model(ExperimentSpec spec) {
    return new ExperimentModel(ExperimentRecord.of(ID, spec, START), List.of());
  }

  ExperimentModel running(ExperimentSpec spec) {
    ExperimentModel model = model(spec);
    decide(model, new Occurrence.Opened());
    decide(model, new Occurrence.TunerOpened(1, 1));
    return model;
  }

  AttemptRef launchOne(ExperimentModel model) {
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();
    start(model, attempt);
    return attempt;
  }

  void start(ExperimentModel model, AttemptRef attempt) {
    decide(model, new Occurrence.Platform(new PlatformEvent.Started(attempt, now, "/trial")));
  }

  List<Decision> end(ExperimentModel model, AttemptRef attempt, int code) {
    return end(model, attempt, code, "");
  }

  List<Decision> end(ExperimentModel model, AttemptRef attempt, int code, String lastLines) {
    List<Decision> decisions =
        new ArrayList<>(
            decide(
                model, new Occurrence.Platform(new PlatformEvent.Ended(attempt, code, now, null))));
    if (decisions.contains(new Decision.ReadStderr(attempt))) {
      decisions.addAll(decide(model, new Occurrence.StderrRead(attempt, lastLines)));
    }
    return decisions;
  }

  List<Decision> collect(ExperimentModel model, AttemptRef attempt, @Nullable Double result) {
    return decide(
        model,
        new Occurrence.ResultCollected(
            attempt, result == null ? null : MetricValue.of(result), null));
  }

  List<Decision> finish(
      ExperimentModel model, AttemptRef attempt, int code, @Nullable Double result) {
    List<Decision> decisions = new ArrayList<>(end(model, attempt, code));
    decisions.addAll(collect(model, attempt, result));
    return decisions;
  }

  static List<AttemptRef> submitted(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.Submit.class::isInstance)
        .map(decision -> ((Decision.Submit) decision).submission().attempt())
        .toList();
  }

  Experiment view(ExperimentModel model) {
    return model.record(now).view(now);
  }

  static Occurrence imported(double... values) {
    return new Occurrence.ResultsImported(
        DoubleStream.of(values)
            .mapToObj(
                value -> new ImportedResult(new Parameters(Map.of("x", 1)), MetricValue.of(value)))
            .toList());
  }

  static Occurrence suggestions(long first, int count) {
    return new Occurrence.Suggested(1, batch(first, count, false));
  }

  static Tuners.Suggestions batch(long first, int count, boolean exhausted) {
    return new Tuners.Suggestions(
        LongStream.range(first, first + count)
            .mapToObj(n -> new Tuners.Suggestion("" + n, new Parameters(Map.of("x", n))))
            .toList(),
        exhausted);
  }

  static SearchSpace otherSpace() {
    return new SearchSpace(Map.of("y", new Dimension.Uniform(0, 1)));
  }

  static ExperimentSpec spec(int concurrency, @Nullable Long maxTrials) {
    return spec(concurrency, maxTrials, Direction.MAXIMIZE, RetryPolicy.NONE);
  }

  static ExperimentSpec spec(
      int concurrency, @Nullable Long maxTrials, Direction direction, RetryPolicy retry) {
    return new ExperimentSpec(
        ExperimentDescription.named("test"),
        SearchSpec.random(
            new SearchSpace(Map.of("x", new Dimension.RandInt(0, 100))), direction, 7),
        JobSpec.of("true", "/code", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
        ExperimentLimits.of(concurrency, maxTrials).withRetry(retry));
  }

  static ExperimentSpec limited(@Nullable Duration experiment, @Nullable Duration trial) {
    return spec(1, null).withLimits(ExperimentLimits.of(1, null).withDurations(experiment, trial));
  }
}
