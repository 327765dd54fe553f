package io.orrery.orchestrator.experiment.model;

import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The step from one parameter set of a running trial to its next (NNI's multi-phase). A trial that
 * asks for set n has finished set n - 1: its result is looked up and told to the tuner before the
 * tuner is asked. A set is durable before it is given, so that a repeated question, after a crash
 * of the server, has the same answer.
 *
 * <p>A trial that waits holds its slot, so it comes before plans. There is no more for it when the
 * experiment's time is over, when the tuner has nothing more, or when nothing runs any more that
 * the tuner could be waiting for. When the tuner waits for a trial that cannot start because all
 * that run wait here, the one that has waited longest is told that there is no more, so that it
 * ends and makes room. A tuner with threads of its own does not say whether it waits or works, and
 * is given a while.
 */
final class FurtherSetRequests {
  /** So many sets a trial may have; they are stored together. */
  static final int MOST = 100;

  /**
   * How long a trial may be under way to its platform, or a tuner at work while nothing moves,
   * before those that wait here are taken to be in the way.
   */
  static final Duration LAUNCH = Duration.ofMinutes(1);

  private final ExperimentProgress progress;
  private final LiveTrials trials;
  private final TunerDialogue tuner;
  private final TrialEndings endings;
  private final Ordinals ordinals;
  private final Consumer<Decision> decide;

  /** Who waits, longest first. */
  private final SequencedMap<AttemptRef, Wish> waiting = new LinkedHashMap<>();

  /** When attempts were first seen on the way to their platform while the tuner waited. */
  private final Map<AttemptRef, Instant> underWay = new HashMap<>();

  /**
   * Since when a tuner has been at work while all that run are in the way; null while it is not.
   */
  private @Nullable Instant stuckSince;

  /**
   * A set that a trial has asked for.
   *
   * @param index of the set that is wanted
   * @param since when the set before came to its end, so that the tuner may be asked; null until
   *     then
   */
  private record Wish(int index, @Nullable Instant since) {}

  FurtherSetRequests(
      ExperimentProgress progress,
      LiveTrials trials,
      TunerDialogue tuner,
      TrialEndings endings,
      Ordinals ordinals,
      Consumer<Decision> decide) {
    this.progress = progress;
    this.trials = trials;
    this.tuner = tuner;
    this.endings = endings;
    this.ordinals = ordinals;
    this.decide = decide;
  }

  /** A trial asks for its set of this index. */
  void asked(TrialState trial, int index, Instant now) {
    AttemptRef attempt = trial.attempt();
    if (!mayGoOn(trial) || waiting.containsKey(attempt)) {
      return;
    }
    int given = trial.sets().all().size();
    if (index > given) {
      // It was told that there is no set before this one.
      decide.accept(new Decision.GiveSet(attempt, index, null));
    } else if (trial.sets().all().get(index - 1).settled() == null) {
      waiting.put(attempt, new Wish(index, null));
      endings.collect(trial, Duration.ZERO);
    } else if (index < given) {
      give(trial, index);
    } else {
      waiting.put(attempt, new Wish(index, now));
    }
  }

  /** Whether the result of a trial is wanted because it asked for another set. */
  boolean awaitsResult(TrialState trial) {
    Wish wish = waiting.get(trial.attempt());
    return wish != null && wish.since() == null && mayGoOn(trial);
  }

  /** The last result of a trial that asked is known. */
  void collected(
      TrialState trial, @Nullable MetricValue given, @Nullable String parameterId, Instant now) {
    AttemptRef attempt = trial.attempt();
    int next = Objects.requireNonNull(waiting.get(attempt)).index();
    GivenSet done = trial.sets().all().get(next - 1);
    MetricValue result =
        given == null || !done.equals(trial.sets().of(parameterId)) ? null : endings.counted(given);
    long from = ordinals.upcoming();
    trials.change(trial, t -> t.goOn(done, result, ordinals::next));
    trial.ends(from).forEach(tuner::tell);
    if (next < trial.sets().all().size()) {
      // It had this set in an earlier attempt.
      waiting.remove(attempt);
      give(trial, next);
    } else {
      waiting.put(attempt, new Wish(next, now));
    }
  }

  /** The tuner's answer for an attempt that runs, or did when it was asked. */
  void suggested(AttemptRef attempt, Tuners.Suggestions suggestions) {
    tuner.answered(suggestions, nothingElseMoves());
    for (Tuners.Suggestion suggestion : suggestions.items()) {
      TrialState trial = trials.current(attempt).filter(this::mayGoOn).orElse(null);
      if (trial == null || waiting.remove(attempt) == null) {
        tuner.takenBack();
        continue;
      }
      int index = trial.sets().all().size();
      ParameterSet set =
          new ParameterSet(
              index, suggestion.parameterId(), ParameterSource.ALGORITHM, suggestion.parameters());
      trials.change(trial, t -> t.give(set, ordinals::next));
      give(trial, index);
    }
    trials.touchExperiment();
  }

  /** Asks for who waits longest, and tells those for whom there is no more. */
  void ask(Instant now, Runnable openTuner) {
    waiting.keySet().removeIf(attempt -> trials.current(attempt).filter(this::mayGoOn).isEmpty());
    boolean over = progress.outOfTime(now) || tuner.exhausted();
    waiting
        .entrySet()
        .removeIf(entry -> {
          Wish wish = entry.getValue();
          boolean none = wish.since() != null && (over || wish.index() >= MOST);
          if (none) {
            giveNone(entry.getKey(), wish);
          }
          return none;
        });
    AttemptRef next = waiting.keySet().stream().filter(this::isReady).findFirst().orElse(null);
    if (next == null) {
      return;
    }
    if (tuner.misled()) {
      openTuner.run();
    }
    noteUnderWay(now);
    if (mustMakeRoom(now)) {
      giveNone(next, Objects.requireNonNull(waiting.remove(next)));
      return;
    }
    if (tuner.listens()) {
      tuner.askFor(next);
    }
  }

  /** Whether the tuner waits, as far as can be known, for what cannot start while all wait here. */
  private boolean mustMakeRoom(Instant now) {
    if (tuner.starved()) {
      stuckSince = null;
      return inTheWay(now);
    }
    Instant since = Objects.requireNonNullElse(stuckSince, now);
    boolean stuck = tuner.thinks() && !nothingElseMoves() && inTheWay(now);
    boolean tooLong = stuck && !now.isBefore(since.plus(LAUNCH));
    stuckSince = stuck && !tooLong ? since : null;
    return tooLong;
  }

  private boolean isReady(AttemptRef attempt) {
    Wish wish = waiting.get(attempt);
    return wish != null && wish.since() != null;
  }

  /** One that its platform has no room for is submitted again and again, and stays the same. */
  private void noteUnderWay(Instant now) {
    underWay
        .keySet()
        .removeIf(
            attempt -> trials.current(attempt).filter(FurtherSetRequests::isUnderWay).isEmpty());
    trials.all().stream()
        .filter(trial -> trial.phase() == Phase.SUBMITTED && (tuner.starved() || tuner.thinks()))
        .forEach(trial -> underWay.putIfAbsent(trial.attempt(), now));
  }

  private static boolean isUnderWay(TrialState trial) {
    return trial.phase() == Phase.PLANNED || trial.phase() == Phase.SUBMITTED;
  }

  /**
   * Whether all that have started wait here, and so does what has not started: for a slot, or for
   * the room that they have on their platform. It is not known which of the latter, so each is
   * given a while.
   */
  private boolean inTheWay(Instant now) {
    boolean full = trials.inFlight() >= progress.spec().limits().slots();
    return progress.launching()
        && trials.all().stream()
            .filter(trial -> !isReady(trial.attempt()))
            .allMatch(trial ->
                switch (trial.phase()) {
                  case PLANNED -> full;
                  case SUBMITTED ->
                      !now.isBefore(underWay.getOrDefault(trial.attempt(), now).plus(LAUNCH));
                  case RUNNING, VACATED, SETTLING, SETTLED -> false;
                });
  }

  /** Whether all that move wait here, so that no result is to come. */
  private boolean nothingElseMoves() {
    return trials.all().stream().allMatch(trial -> isReady(trial.attempt()));
  }

  /** Whether a trial runs and shall go on. A question may be faster than the news of its start. */
  private boolean mayGoOn(TrialState trial) {
    boolean runs = trial.phase() == Phase.SUBMITTED || trial.phase() == Phase.RUNNING;
    return runs && trial.ending().isEmpty() && progress.goingOn();
  }

  private void giveNone(AttemptRef attempt, Wish wish) {
    decide.accept(new Decision.GiveSet(attempt, wish.index(), null));
  }

  private void give(TrialState trial, int index) {
    ParameterSet set = trial.sets().all().get(index).set();
    decide.accept(new Decision.GiveSet(trial.attempt(), index, set));
  }
}
