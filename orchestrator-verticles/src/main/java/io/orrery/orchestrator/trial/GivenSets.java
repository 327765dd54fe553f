package io.orrery.orchestrator.trial;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.TrialStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameter sets of a trial, by index, and what came of them. What comes of the one set that
 * most trials have comes of the trial. Once a trial has asked for more, each set has an end and a
 * result of its own, and the best of these results is the trial's.
 *
 * @param all one or more
 * @param several whether the trial has gone on from its first set, in this attempt or one before:
 *     what is stored of its sets stands from then on
 * @param metric the result of the trial; null while there is none
 * @param settledOrdinal the place of the trial's end in the history; null while it has not settled
 */
public record GivenSets(
    List<GivenSet> all,
    boolean several,
    @Nullable MetricValue metric,
    @Nullable Long settledOrdinal) {
  public GivenSets {
    all = List.copyOf(all);
  }

  /** Nothing has come of the trial yet. */
  GivenSets(List<GivenSet> all) {
    this(all, all.size() > 1 || !all.getFirst().open(), null, null);
  }

  /** The set that was given last. */
  public ParameterSet current() {
    return all.getLast().set();
  }

  List<ParameterSet> parameters() {
    return all.stream().map(GivenSet::set).toList();
  }

  /** Whether anything that the trial was given has not come to an end. */
  public boolean anyOpen() {
    return settledOrdinal == null && all.stream().anyMatch(GivenSet::open);
  }

  /**
   * The set that a report is about: the one that it names. One that names none, as a line on stdout
   * does, is about the set that has no name, or else the last.
   *
   * @return null when it names what the trial was never given
   */
  public @Nullable GivenSet of(@Nullable String parameterId) {
    if (all.size() == 1) {
      return all.getFirst();
    }
    for (GivenSet given : all.reversed()) {
      if (Objects.equals(given.set().parameterId(), parameterId)) {
        return given;
      }
    }
    return parameterId == null ? all.getLast() : null;
  }

  /** The result of what a report is about; null when there is none. */
  public @Nullable MetricValue resultOf(@Nullable String parameterId) {
    GivenSet set = of(parameterId);
    return !several ? metric : set == null ? null : set.set().result();
  }

  /** Whether the trial has gone on from what a report is about. */
  public boolean hasGoneOnFrom(@Nullable String parameterId) {
    GivenSet set = of(parameterId);
    return set != null && !set.open();
  }

  /**
   * What came to an end, for the tuner: from this place in the history on.
   *
   * @param status of the trial
   */
  List<Trials.Settled> ends(TrialId trial, TrialStatus status, long fromOrdinal) {
    if (!several) {
      return settledOrdinal == null || settledOrdinal < fromOrdinal
          ? List.of()
          : List.of(end(trial, current(), settledOrdinal, status, metric));
    }
    List<Trials.Settled> ends = new ArrayList<>();
    for (GivenSet given : all) {
      Long settled = given.settled();
      TrialStatus as = given.status();
      if (settled != null && as != null && settled >= fromOrdinal) {
        ends.add(end(trial, given.set(), settled, as, given.set().result()));
      }
    }
    return ends;
  }

  private static Trials.Settled end(
      TrialId trial, ParameterSet set, long ordinal, TrialStatus as, @Nullable MetricValue result) {
    return new Trials.Settled(ordinal, trial, set.parameterId(), set.values(), as, result);
  }

  /** Another set is given. */
  GivenSets with(ParameterSet set, long ordinal) {
    List<GivenSet> more = new ArrayList<>(all);
    more.add(new GivenSet(set, ordinal));
    return new GivenSets(more, true, metric, settledOrdinal);
  }

  /** One has come to its end by itself. */
  GivenSets ended(int index, TrialStatus as, @Nullable MetricValue result, long ordinal) {
    return replaced(index, all.get(index).ended(as, result, ordinal));
  }

  /** What was stored of one. */
  GivenSets recalled(
      int index, long suggested, @Nullable Long settled, @Nullable TrialStatus status) {
    return replaced(index, new GivenSet(all.get(index).set(), suggested, settled, status));
  }

  private GivenSets replaced(int index, GivenSet changed) {
    List<GivenSet> others = new ArrayList<>(all);
    others.set(index, changed);
    return new GivenSets(others, true, metric, settledOrdinal);
  }

  /** What was stored of the trial. */
  GivenSets restored(@Nullable MetricValue result, @Nullable Long settled) {
    return new GivenSets(all, several, result, settled);
  }

  /**
   * The trial has come to its end, and with it the sets that had not.
   *
   * @param result of the set that {@code parameterId} names
   * @param direction which result of several sets is the trial's
   */
  GivenSets settled(
      TrialStatus as,
      @Nullable MetricValue result,
      @Nullable String parameterId,
      Direction direction,
      LongSupplier ordinals) {
    if (!several) {
      return new GivenSets(all, false, result, ordinals.getAsLong());
    }
    GivenSet reported = of(parameterId);
    List<GivenSet> ended = new ArrayList<>();
    for (GivenSet given : all) {
      ended.add(
          given.open()
              ? given.ended(as, given.equals(reported) ? result : null, ordinals.getAsLong())
              : given);
    }
    return new GivenSets(ended, true, best(ended, direction), ordinals.getAsLong());
  }

  /**
   * One that has come to its end has this result; a new place in the history tells the tuner.
   *
   * @param direction which result of several sets is the trial's, once that has settled
   */
  GivenSets corrected(
      GivenSet set, MetricValue result, Direction direction, LongSupplier ordinals) {
    if (!several) {
      return new GivenSets(all, false, result, ordinals.getAsLong());
    }
    int index = set.set().index();
    GivenSets corrected = replaced(index, all.get(index).corrected(result, ordinals.getAsLong()));
    return settledOrdinal == null
        ? corrected
        : corrected.restored(best(corrected.all, direction), settledOrdinal);
  }

  /** Nothing has come of them yet. */
  GivenSets again() {
    return new GivenSets(all.stream().map(GivenSet::again).toList(), several, null, null);
  }

  private static @Nullable MetricValue best(List<GivenSet> sets, Direction direction) {
    return direction
        .best(sets.stream().flatMap(given -> Stream.ofNullable(given.set().result())))
        .orElse(null);
  }
}
