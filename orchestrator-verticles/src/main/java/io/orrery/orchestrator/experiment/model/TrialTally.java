package io.orrery.orchestrator.experiment.model;

import io.orrery.core.experiment.Experiment.Best;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialState;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sums over all trials that ever were, kept up to date one trial at a time. */
public final class TrialTally {
  private final Map<TrialStatus, Long> counts = new EnumMap<>(TrialStatus.class);
  private @Nullable Best best;

  /**
   * Looks for the best in the table that are under way; what is best of those that settle meanwhile
   * is kept aside.
   */
  private int looks;

  public TrialTally(Map<TrialStatus, Long> counts, @Nullable Best best) {
    this.counts.putAll(counts);
    this.best = best;
  }

  public void add(TrialStatus status) {
    counts.merge(status, 1L, Long::sum);
  }

  void remove(TrialStatus status) {
    counts.computeIfPresent(status, (s, n) -> n > 1 ? n - 1 : null);
  }

  void move(TrialStatus from, TrialStatus to) {
    if (from != to) {
      remove(from);
      add(to);
    }
  }

  long count(TrialStatus status) {
    return counts.getOrDefault(status, 0L);
  }

  /** A result counts when it is a number and its trial was not ended by its user. */
  public void consider(TrialState trial, Direction direction) {
    Trial view = trial.view();
    boolean usable =
        switch (view.status()) {
          case SUCCEEDED, EARLY_STOPPED -> true;
          case WAITING, RUNNING, FAILED, USER_CANCELED, SYS_CANCELED, UNKNOWN -> false;
        };
    if (!usable || view.metric() == null || !Double.isFinite(view.metric().number())) {
      return;
    }
    keep(new Best(view.ref().trial(), view.metric(), view.counted().values()), direction);
  }

  private void keep(Best candidate, Direction direction) {
    if (best == null || direction.better(candidate.metric().number(), best.metric().number())) {
      best = candidate;
    }
  }

  /** Whether the best result so far is of this trial, or may be found to be. */
  boolean mayBeBest(TrialId trial) {
    return looks > 0 || (best != null && best.trial().equals(trial));
  }

  /** Whether there should be a best result and none is known. */
  boolean lacksBest() {
    return best == null && count(TrialStatus.SUCCEEDED) + count(TrialStatus.EARLY_STOPPED) > 0;
  }

  /** The best trial is not what it was; until {@link #found} it is unknown which is best. */
  void forgetBest() {
    best = null;
    looks++;
  }

  /**
   * The best of the table, as it was after the last {@link #forgetBest}; an earlier look counts for
   * nothing. One that has settled since may be better.
   */
  void found(@Nullable Best stored, Direction direction) {
    looks--;
    if (stored != null && looks == 0) {
      keep(stored, direction);
    }
  }

  /** Empty while it is unknown, so that a restart looks it up. */
  public Optional<Best> best() {
    return looks > 0 ? Optional.empty() : Optional.ofNullable(best);
  }

  public Map<TrialStatus, Long> counts() {
    return Map.copyOf(counts);
  }
}
