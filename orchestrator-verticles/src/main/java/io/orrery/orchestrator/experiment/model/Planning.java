package io.orrery.orchestrator.experiment.model;

import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialName;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The planner, which turns suggestions into submissions. Plans are stored before a slot falls free,
 * as far ahead as the tuner can be asked without becoming stale, so that the turn of a slot waits
 * for no disk.
 */
final class Planning {
  /** A tuner is asked for so many at a time; more slots are filled by more questions. */
  private static final int MOST_ASKED = 1_000;

  private final ExperimentId id;
  private final ExperimentProgress progress;
  private final LiveTrials trials;
  private final TunerDialogue tuner;
  private final TrialEndings endings;
  private final Ordinals ordinals;
  private final Alarms alarms;
  private final Consumer<Decision> decide;
  private final SequencedSet<TrialId> ready = new LinkedHashSet<>();
  private long nextSequence;

  /** Until when the brake holds plans back, as far as it was noticed. */
  private @Nullable Instant heldUntil;

  /**
   * @param nextSequence of the next trial
   */
  Planning(
      ExperimentId id,
      long nextSequence,
      ExperimentProgress progress,
      LiveTrials trials,
      TunerDialogue tuner,
      TrialEndings endings,
      Ordinals ordinals,
      Alarms alarms,
      Consumer<Decision> decide) {
    this.id = id;
    this.nextSequence = nextSequence;
    this.progress = progress;
    this.trials = trials;
    this.tuner = tuner;
    this.endings = endings;
    this.ordinals = ordinals;
    this.alarms = alarms;
    this.decide = decide;
  }

  long nextSequence() {
    return nextSequence;
  }

  // ---- the tuner -----------------------------------------------------------------------------

  /** Opens a tuner over the history as it is now. */
  void openTuner() {
    tuner.open(progress.spec(), ordinals.upcoming() - 1);
  }

  void suggested(Tuners.Suggestions suggestions, Instant now) {
    tuner.answered(suggestions, trials.none());
    for (Tuners.Suggestion suggestion : suggestions.items()) {
      if (progress.mayPlan(now)) {
        plan(suggestion.parameterId(), ParameterSource.ALGORITHM, suggestion.parameters(), now);
      } else {
        tuner.takenBack();
      }
    }
    trials.touchExperiment();
  }

  /**
   * Asks for as many as there are free slots, and as far ahead as makes sense. While no slot is
   * free, and more than half of what may be planned ahead is left, the tuner is not asked: one
   * question for many costs little more than one for one, and what it brings is stored in one go.
   */
  void ask(Instant now) {
    boolean paused = !progress.launching();
    if (paused || !progress.mayPlan(now)) {
      return;
    }
    if (tuner.misled()) {
      openTuner();
    }
    int slots = progress.spec().limits().slots();
    int ahead = Math.min(tuner.aheadLimit(), slots);
    long free = (long) slots - trials.inFlight();
    long wanted = free + ahead - trials.planned();
    int count = (int) Math.min(Math.min(wanted, progress.room()), MOST_ASKED);
    // A plan that waits for its time, such as a retry, fills no slot until then.
    boolean due = free > 0 || wanted >= ahead / 2;
    if (tuner.listens() && due && count > 0) {
      tuner.ask(count);
    }
  }

  // ---- plans ---------------------------------------------------------------------------------

  void plan(@Nullable String parameterId, ParameterSource source, Parameters values, Instant now) {
    TrialRef ref = new TrialRef(id, TrialName.of(id, nextSequence));
    ParameterSet set = new ParameterSet(0, parameterId, source, values);
    GivenSet first = new GivenSet(set, ordinals.next());
    trials.add(new TrialState(ref, nextSequence++, List.of(first), now));
    progress.planned();
  }

  /** A trial that ran elsewhere: it has settled, and counts to no limit. */
  void add(ImportedResult result, Instant now) {
    TrialRef ref = new TrialRef(id, TrialName.of(id, nextSequence));
    ParameterSet set = new ParameterSet(0, null, ParameterSource.IMPORTED, result.parameters());
    TrialState trial =
        TrialState.imported(
            ref,
            nextSequence++,
            new GivenSet(set, ordinals.next()),
            result.value(),
            ordinals.next(),
            now);
    trials.addSettled(trial);
    trials.tally().consider(trial, progress.spec().search().direction());
  }

  /** A plan that is durable may start, now or when its time has come. */
  void makeReady(TrialId trial, Instant now) {
    TrialState plan = trials.find(trial).orElse(null);
    if (plan == null || plan.phase() != Phase.PLANNED) {
      return;
    }
    if (plan.notBefore().isPresent() && plan.notBefore().get().isAfter(now)) {
      alarms.set(plan.notBefore().get(), trial);
    } else {
      ready.add(trial);
    }
  }

  /** Whether the next slot that is free has nothing to start before a plan is durable. */
  boolean awaitsCommit() {
    return progress.launching() && ready.isEmpty() && trials.planned() > 0;
  }

  /** Fills free slots with plans that are ready. */
  void launch(Instant now) {
    if (heldBack(now)) {
      return;
    }
    while (progress.launching()
        && trials.inFlight() < progress.spec().limits().slots()
        && !ready.isEmpty()) {
      TrialState trial = trials.find(ready.removeFirst()).orElse(null);
      if (trial != null && trial.phase() == Phase.PLANNED) {
        // Not a change to store: after a crash, a plan is asked about in any case.
        trials.unstored(trial, TrialState::submit);
        decide.accept(new Decision.Submit(trial.submission(progress.spec().job())));
      }
    }
  }

  /** Only where no limit would end it: a number of trials that a user asked for is started. */
  private boolean heldBack(Instant now) {
    Instant until =
        progress.spec().limits().maxTrialNumber() == null ? endings.brake().until(now) : null;
    if (until == null || ready.isEmpty()) {
      if (heldUntil != null) {
        heldUntil = null;
        explain(TrialState.FOR_A_SLOT);
      }
      return false;
    }
    if (!until.equals(heldUntil)) {
      heldUntil = until;
    }
    explain(endings.brake().reason());
    return true;
  }

  /** Until when plans are held back, which is when the next is to be looked at. */
  Optional<Instant> heldUntil() {
    return Optional.ofNullable(heldUntil);
  }

  /** Says in each plan that nothing else holds back why it waits. */
  void explain(String why) {
    trials.all().forEach(trial -> trials.change(trial, t -> t.heldBackBy(why)));
  }

  /**
   * Takes back what has not started. What the tuner suggested is forgotten, as if it had never been
   * asked; what a user added or had retried ends with a status, because the user knows its name.
   */
  void withdraw(TrialStatus as, String why, Instant now) {
    for (TrialState trial : trials.all()) {
      if (trial.phase() != Phase.PLANNED) {
        continue;
      }
      boolean fresh = trial.attempt().number() == 1;
      if (fresh && trial.sets().current().source() == ParameterSource.ALGORITHM) {
        trials.withdraw(trial);
        progress.withdrawn();
        tuner.takenBack();
      } else {
        endings.abandon(trial, as, why, now);
      }
    }
  }
}
