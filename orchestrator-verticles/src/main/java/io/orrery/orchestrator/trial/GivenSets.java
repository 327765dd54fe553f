package io.orrery.orchestrator.trial;

import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.TrialStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameter sets of a trial, by index. Of the one set that most trials have nothing is kept
 * here but what it is: what comes of it comes of the trial. Once a trial has asked for more, each
 * set has an end and a result of its own.
 */
final class GivenSets {
  private final List<GivenSet> all;
  private boolean several;

  /**
   * @param all one or more
   */
  GivenSets(List<GivenSet> all) {
    this.all = new ArrayList<>(all);
    this.several = all.size() > 1 || !all.getFirst().open();
  }

  List<GivenSet> all() {
    return Collections.unmodifiableList(all);
  }

  List<ParameterSet> sets() {
    return all.stream().map(GivenSet::set).toList();
  }

  /**
   * Whether the trial has gone on from its first set, in this attempt or one before: what is stored
   * of its sets stands from then on.
   */
  boolean several() {
    return several;
  }

  boolean anyOpen() {
    return all.stream().anyMatch(GivenSet::open);
  }

  /**
   * The set that a report is about: the one that it names. One that names none, as a line on stdout
   * does, is about the set that has no name, or else the last.
   *
   * @return null when it names what the trial was never given
   */
  @Nullable GivenSet of(@Nullable String parameterId) {
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

  void add(ParameterSet set, long ordinal) {
    several = true;
    all.add(new GivenSet(set, ordinal));
  }

  /** Ends one, or gives one that has ended another result. */
  void end(int index, TrialStatus as, @Nullable MetricValue result, long ordinal) {
    several = true;
    all.set(index, all.get(index).ended(as, result, ordinal));
  }

  /**
   * Ends those that have not, with their trial.
   *
   * @param reported the set that there is a result of, null when of none
   */
  void endAll(
      TrialStatus as,
      @Nullable GivenSet reported,
      @Nullable MetricValue result,
      LongSupplier ordinals) {
    for (GivenSet given : List.copyOf(all)) {
      if (given.open()) {
        end(given.set().index(), as, given.equals(reported) ? result : null, ordinals.getAsLong());
      }
    }
  }

  /** Nothing has come of them yet. */
  void again() {
    all.replaceAll(GivenSet::again);
  }

  /** Puts back what was stored of one. */
  void recall(int index, long suggested, @Nullable Long settled, @Nullable TrialStatus status) {
    several = true;
    all.set(index, new GivenSet(all.get(index).set(), suggested, settled, status));
  }

  /** The best result, null when there is none. */
  @Nullable MetricValue best(Direction direction) {
    return direction
        .best(all.stream().flatMap(given -> Stream.ofNullable(given.set().result())))
        .orElse(null);
  }
}
