package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.JobSpec;
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
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** An experiment whose trials ask for one set after another, and those who deal with it. */
abstract class FurtherSetsFixture {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** The states that were stored, in their order. */
  final List<TrialState> changed = new ArrayList<>();

  List<Decision> decide(ExperimentModel model, Occurrence occurrence) {
    return CheckedDecision.of(model, occurrence, NOW);
  }

  List<Decision> ask(ExperimentModel model, AttemptRef attempt, int index) {
    return decide(model, new Occurrence.SetAsked(attempt, index));
  }

  List<Decision> collect(
      ExperimentModel model, AttemptRef attempt, @Nullable Double result, @Nullable String of) {
    return decide(
        model,
        new Occurrence.ResultCollected(
            attempt, result == null ? null : MetricValue.of(result), of));
  }

  /** It is done with the set before this one, and is given this one. */
  void next(ExperimentModel model, AttemptRef attempt, int index, @Nullable Double before) {
    ask(model, attempt, index);
    collect(model, attempt, before, before == null ? null : "" + (index - 1));
    assertThat(given(decide(model, suggestions(index, 1)))).containsExactly("" + index);
  }

  List<Decision> end(ExperimentModel model, AttemptRef attempt, double result, String of) {
    decide(model, new Occurrence.Platform(new PlatformEvent.Ended(attempt, 0, NOW, null)));
    List<Decision> end = collect(model, attempt, result, of);
    commit(model);
    return end;
  }

  static TrialState trial(ExperimentModel model, AttemptRef attempt) {
    return model.moving(attempt.trial().trial()).orElseThrow();
  }

  static List<String> given(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.GiveSet.class::isInstance)
        .map(decision -> ((Decision.GiveSet) decision).set().parameterId())
        .toList();
  }

  static List<String> told(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.Tell.class::isInstance)
        .map(decision -> ((Decision.Tell) decision).settled())
        .map(end ->
            end.parameterId()
                + " "
                + end.status()
                + " "
                + (end.result() == null ? null : end.result().number()))
        .toList();
  }

  List<Decision> commit(ExperimentModel model) {
    List<TrialState> stored = List.copyOf(model.takeChanges().trials());
    changed.addAll(stored);
    List<TrialId> planned =
        stored.stream()
            .filter(trial -> trial.phase() == Phase.PLANNED)
            .map(trial -> trial.ref.trial())
            .toList();
    return decide(model, new Occurrence.Committed(planned));
  }

  AttemptRef launchOne(ExperimentModel model) {
    decide(model, suggestions(0, 1));
    return start(model).getFirst();
  }

  List<AttemptRef> submit(ExperimentModel model) {
    return commit(model).stream()
        .filter(Decision.Submit.class::isInstance)
        .map(decision -> ((Decision.Submit) decision).submission().attempt())
        .toList();
  }

  List<AttemptRef> start(ExperimentModel model) {
    List<AttemptRef> attempts = submit(model);
    attempts.forEach(attempt ->
        decide(model, new Occurrence.Platform(new PlatformEvent.Started(attempt, NOW, "/trial"))));
    return attempts;
  }

  ExperimentModel running(ExperimentSpec spec) {
    return running(spec, 0);
  }

  ExperimentModel running(ExperimentSpec spec, int ahead) {
    ExperimentModel model =
        new ExperimentModel(
            ExperimentRecord.of(new ExperimentId("exp00001"), spec, NOW), List.of());
    decide(model, new Occurrence.Opened());
    decide(model, new Occurrence.TunerOpened(1, ahead));
    return model;
  }

  /** The next server, over what this one has decided. */
  ExperimentModel again(ExperimentModel model) {
    List<TrialState> stored =
        model.moving().stream()
            .map(t ->
                new TrialState(t.ref, t.sequence, t.sets().all(), t.createdAt).restore(t.stored()))
            .toList();
    ExperimentModel next = new ExperimentModel(model.record(NOW), stored);
    decide(next, new Occurrence.Opened());
    decide(next, new Occurrence.TunerOpened(1, 0));
    return next;
  }

  static Occurrence suggestions(long first, int count) {
    return new Occurrence.Suggested(1, batch(first, count, false));
  }

  static Occurrence nothing() {
    return new Occurrence.Suggested(1, batch(0, 0, false));
  }

  static Tuners.Suggestions batch(long first, int count, boolean exhausted) {
    return new Tuners.Suggestions(
        LongStream.range(first, first + count)
            .mapToObj(n -> new Tuners.Suggestion("" + n, new Parameters(Map.of("x", n))))
            .toList(),
        exhausted);
  }

  static ExperimentSpec spec(int concurrency, @Nullable Long maxTrials) {
    return new ExperimentSpec(
        ExperimentDescription.named("test"),
        SearchSpec.random(
            new SearchSpace(Map.of("x", new Dimension.RandInt(0, 100))), Direction.MAXIMIZE, 7),
        JobSpec.of("true", "/code", null, new TrainingServiceSpec("local", Parameters.EMPTY))
            .withMultiPhase(true),
        ExperimentLimits.of(concurrency, maxTrials).withDurations(Duration.ofHours(1), null));
  }
}
