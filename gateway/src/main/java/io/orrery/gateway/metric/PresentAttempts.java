package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/**
 * A cache of the present attempt of each reporting trial. Asking for it costs more than storing
 * many points. An entry is valid until the bus reports a change of the trial, and for a minute at
 * most, because events may get lost. It belongs to the edge's event loop.
 *
 * <p>A line or token that names a later attempt causes a new request.
 */
final class PresentAttempts {
  /** Not known. */
  static final int UNKNOWN = 0;

  private static final int MOST_EXPERIMENTS = 200;
  private static final int MOST_TRIALS = 10_000;
  private static final Duration LIFE = Duration.ofMinutes(1);

  /**
   * The attempt that is known of a trial.
   *
   * @param until when it must be asked for again, milliseconds since the epoch
   */
  private record Known(int attempt, long until) {}

  /** The trials of one experiment, and what keeps them true. */
  private record Roll(Map<TrialId, Known> trials, Bus.Subscription news) {}

  private final Bus bus;
  private final Clock clock;
  private final LinkedHashMap<ExperimentId, Roll> rolls = new LinkedHashMap<>(16, 0.75f, true);

  PresentAttempts(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** The present attempt of a trial, from 1; {@link #UNKNOWN} when it must be asked for. */
  int find(TrialRef trial) {
    Roll roll = rolls.get(trial.experiment());
    Known known = roll == null ? null : roll.trials().get(trial.trial());
    return known == null || known.until() <= clock.millis() ? UNKNOWN : known.attempt();
  }

  /** Asks for some trials, and tells each answer; see {@link AttemptQuestions#ask}. */
  Future<Void> learn(Map<TrialRef, Integer> firstLines, ObjIntConsumer<TrialRef> taker) {
    // Listening first, then asking: a retry in between is heard of.
    firstLines.keySet().forEach(trial -> rolls.computeIfAbsent(trial.experiment(), this::open));
    firstLines.keySet().forEach(this::renew);
    while (rolls.size() > MOST_EXPERIMENTS) {
      forget(rolls.firstEntry().getKey());
    }
    return AttemptQuestions.ask(
            bus,
            firstLines,
            (trial, attempt) -> {
              note(trial, attempt);
              taker.accept(trial, attempt);
            })
        .onFailure(failure -> firstLines.keySet().forEach(this::withdraw));
  }

  private Roll open(ExperimentId experiment) {
    return new Roll(
        new HashMap<>(),
        bus.listen(
            Experiments.EVENTS.of(experiment),
            event -> {
              switch (event) {
                case ExperimentEvent.TrialChanged(var trial) -> note(trial.ref(), trial.attempt());
                case ExperimentEvent.TrialWithdrawn(var trial) -> withdraw(trial);
                case ExperimentEvent.Deleted(var id, _) -> forget(id);
                case ExperimentEvent.Changed ignored -> {}
                case ExperimentEvent.Annotated ignored -> {}
              }
            }));
  }

  private void note(TrialRef trial, int attempt) {
    Roll roll = rolls.get(trial.experiment());
    if (roll != null) {
      if (roll.trials().size() >= MOST_TRIALS) {
        roll.trials().clear();
      }
      // An answer may be older than the news that overtook it; attempts only grow.
      roll.trials()
          .merge(
              trial.trial(),
              new Known(attempt, deadline()),
              (before, now) -> before.attempt() > now.attempt() ? before : now);
    }
  }

  /** One asks for all: the others go by what was known until the answer comes. */
  private void renew(TrialRef trial) {
    Roll roll = rolls.get(trial.experiment());
    if (roll != null) {
      roll.trials()
          .computeIfPresent(trial.trial(), (id, known) -> new Known(known.attempt(), deadline()));
    }
  }

  private long deadline() {
    return clock.millis() + LIFE.toMillis();
  }

  private void withdraw(TrialRef trial) {
    Roll roll = rolls.get(trial.experiment());
    if (roll != null) {
      roll.trials().remove(trial.trial());
    }
  }

  private void forget(ExperimentId experiment) {
    Roll roll = rolls.remove(experiment);
    if (roll != null) {
      roll.news().cancel();
    }
  }
}
