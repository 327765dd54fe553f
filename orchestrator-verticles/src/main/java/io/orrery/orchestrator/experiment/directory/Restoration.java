package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Trial;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.TrialTally;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialName;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An experiment that ran elsewhere, in our terms: its row, those of its trials, and what they
 * reported. Its history gets the order in which things happened there.
 *
 * @param points of the trials under the names that they have here
 * @param annotations of the experiment and of trials under these names
 */
record Restoration(
    ExperimentRecord record,
    List<TrialState> trials,
    List<MetricPoint> points,
    List<Annotations.Brought> annotations) {
  /** How many trials may follow before one of them could get the name of one that came along. */
  private static final long ROOM = 1_000_000;

  /** An event of the history that a tuner is told. */
  private record Moment(Instant at, boolean end, int trial, int set) {}

  /**
   * Fails with Refused when trials share an id or a number.
   *
   * @param spec of its configuration
   */
  static Restoration of(ExperimentId id, ExperimentSpec spec, Experiments.Restore past) {
    refuseRepetition(past.trials());
    long next = past.trials().stream().mapToLong(Trial::sequenceId).max().orElse(-1) + 1;
    Map<TrialId, TrialId> renamed = new HashMap<>();
    List<Moment> moments = moments(past.trials());
    List<List<GivenSet>> given = given(past.trials(), spec.search().objectives(), moments);
    TrialTally tally = new TrialTally(Map.of(), null);
    List<TrialState> states = new ArrayList<>();
    long created = 0;
    for (int i = 0; i < past.trials().size(); i++) {
      Trial trial = past.trials().get(i);
      TrialId name = name(id, trial, next);
      renamed.put(trial.ref().trial(), name);
      TrialState state =
          state(new TrialRef(id, name), trial, spec.search().objectives(), given.get(i));
      states.add(state);
      tally.add(state.status());
      tally.consider(state, spec.search().direction());
      created += trial.current().source() == ParameterSource.IMPORTED ? 0 : 1;
    }
    ExperimentRecord record =
        new ExperimentRecord(
            id,
            past.create().ownership(),
            spec,
            past.status().isFinal() && past.status() != ExperimentStatus.VIEWED
                ? past.status()
                : ExperimentStatus.STOPPED,
            tally.counts(),
            tally.best().orElse(null),
            next,
            moments.size() + 1L,
            nextNumber(past.trials()),
            created,
            0,
            Duration.ofMillis(Math.round(past.executionSeconds() * 1_000)),
            null,
            past.createdAt(),
            past.startedAt(),
            Objects.requireNonNullElse(past.endedAt(), past.createdAt()),
            null);
    List<MetricPoint> points =
        past.points().stream().map(point -> named(id, point, renamed)).toList();
    List<Annotations.Brought> annotations =
        past.annotations().stream()
            .map(brought ->
                brought.trial() == null
                    ? brought
                    : new Annotations.Brought(
                        renamed.getOrDefault(brought.trial(), brought.trial()),
                        brought.annotation()))
            .toList();
    return new Restoration(record, states, points, annotations);
  }

  private static ParameterSet counted(ParameterSet set, Objectives objectives) {
    MetricValue result = set.result();
    return result == null ? set : set.withResult(objectives.counted(result));
  }

  private static void refuseRepetition(List<Trial> trials) {
    Set<Object> seen = new HashSet<>();
    for (Trial trial : trials) {
      if (!seen.add(trial.ref().trial()) || !seen.add(trial.sequenceId())) {
        throw new Problem.Refused(
                new Finding(
                    "",
                    "two trials share the id %s or the number %d"
                        .formatted(trial.ref().trial(), trial.sequenceId())))
            .toException();
      }
    }
  }

  /**
   * A suggestion comes before its end, however the clocks went. When a trial went on from one of
   * its sets to the next is not known: at the latest when it ended.
   */
  private static List<Moment> moments(List<Trial> trials) {
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i < trials.size(); i++) {
      Trial trial = trials.get(i);
      Instant began = trial.createdAt();
      Instant ended = Objects.requireNonNullElse(trial.endedAt(), began);
      Instant end = ended.isBefore(began) ? began : ended;
      for (int set = 0; set < trial.parameters().size(); set++) {
        moments.add(new Moment(set == 0 ? began : end, false, i, set));
        if (trial.status().isFinal()) {
          moments.add(new Moment(end, true, i, set));
        }
      }
    }
    moments.sort(Comparator.comparing(Moment::at).thenComparing(Moment::end));
    return moments;
  }

  /** The sets of each trial, with their places in the history. */
  private static List<List<GivenSet>> given(
      List<Trial> trials, Objectives objectives, List<Moment> moments) {
    List<List<GivenSet>> given = new ArrayList<>();
    for (Trial trial : trials) {
      given.add(
          new ArrayList<>(
              trial.parameters().stream()
                  .map(set -> trial.status().isFinal() ? set : set.withResult(null))
                  .map(set -> new GivenSet(counted(set, objectives), 0))
                  .toList()));
    }
    for (int i = 0; i < moments.size(); i++) {
      Moment moment = moments.get(i);
      long place = i + 1L;
      List<GivenSet> sets = given.get(moment.trial());
      GivenSet before = sets.get(moment.set());
      sets.set(
          moment.set(),
          moment.end()
              ? new GivenSet(
                  before.set(), before.suggested(), place, trials.get(moment.trial()).status())
              : new GivenSet(before.set(), place));
    }
    return given;
  }

  private static TrialId name(ExperimentId id, Trial trial, long next) {
    TrialId name = trial.ref().trial();
    OptionalLong ours = TrialName.sequence(id, name);
    boolean coming = ours.isPresent() && ours.getAsLong() >= next && ours.getAsLong() < next + ROOM;
    return coming ? new TrialId(name + "-" + trial.sequenceId()) : name;
  }

  private static MetricPoint named(
      ExperimentId id, MetricPoint point, Map<TrialId, TrialId> renamed) {
    TrialId old = point.attempt().trial().trial();
    TrialRef trial = new TrialRef(id, renamed.getOrDefault(old, old));
    return new MetricPoint(
        new AttemptRef(trial, point.attempt().number()),
        point.source(),
        point.ordinal(),
        point.kind(),
        point.sequence(),
        point.parameterId(),
        point.time(),
        point.value());
  }

  private static TrialState state(
      TrialRef ref, Trial trial, Objectives objectives, List<GivenSet> given) {
    MetricValue metric = metric(trial, objectives);
    Long settled = given.getLast().settled();
    boolean alone = given.size() == 1;
    TrialState state =
        new TrialState(
            ref,
            trial.sequenceId(),
            alone
                ? List.of(new GivenSet(given.getFirst().set(), given.getFirst().suggested()))
                : given,
            trial.createdAt());
    return settled == null
        ? state.restore(
            new TrialState.Stored(
                Phase.PLANNED,
                state.status(),
                trial.attempt() + 1,
                "it had not ended where it ran before",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null))
        : state.restore(
            new TrialState.Stored(
                Phase.SETTLED,
                trial.status(),
                trial.attempt(),
                trial.reason(),
                null,
                null,
                metric,
                trial.exitCode(),
                trial.directory(),
                trial.startedAt(),
                trial.endedAt(),
                settled));
  }

  /** The number of its result is that of the first objective; of several sets the best counts. */
  private static @Nullable MetricValue metric(Trial trial, Objectives objectives) {
    return objectives
        .direction()
        .best(
            trial.tried().stream()
                .flatMap(set -> Stream.ofNullable(set.result()))
                .map(objectives::counted))
        .orElse(null);
  }

  /** Tuners go on counting where they were; names that are no numbers are not in their way. */
  private static long nextNumber(List<Trial> trials) {
    return trials.stream()
            .flatMap(trial -> trial.parameters().stream())
            .map(set -> set.parameterId() == null ? "" : set.parameterId())
            .filter(text -> text.matches("[0-9]{1,15}"))
            .mapToLong(Long::parseLong)
            .max()
            .orElse(-1)
        + 1;
  }
}
