package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.experiment.ExperimentVerticle.House;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the words between an experiment and its tuner over the bus. What fails for a passing
 * reason is said again, as long as it is still the same tuner that is meant. A tuner whose process
 * has gone is opened anew, wherever tuners are left to think.
 */
final class TunerLine {
  private static final Logger LOG = LoggerFactory.getLogger(TunerLine.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A tuner that cannot answer is asked again this many times. */
  private static final int PATIENCE = 5;

  private final House house;
  private final ExperimentId id;
  private final long epoch;
  private final IntPredicate present;
  private final Consumer<Occurrence> happen;

  /** How often one was opened: no two have the same place. */
  private int openings;

  /** The tuner that was opened last, and where it is asked. */
  private int opened;

  private String place = "";

  /** The place in the history of the latest result that was told there. */
  private long told;

  private boolean closed;

  /**
   * @param epoch of the owner's lease
   * @param present whether a tuner is the one of now
   * @param happen takes what the tuner said
   */
  TunerLine(
      House house, ExperimentId id, long epoch, IntPredicate present, Consumer<Occurrence> happen) {
    this.house = house;
    this.id = id;
    this.epoch = epoch;
    this.present = present;
    this.happen = happen;
  }

  void open(Decision.OpenTuner open) {
    if (closed || !present.test(open.tuner())) {
      return;
    }
    ExperimentSpec spec = open.spec();
    String there = Owners.place(id, epoch) + "." + ++openings;
    house
        .bus()
        .request(
            Tuners.OPEN,
            new Tuners.Open(
                id,
                spec.tuner(),
                spec.assessor(),
                spec.searchSpace(),
                spec.objectives(),
                spec.seed(),
                open.throughOrdinal(),
                there,
                epoch))
        .onSuccess(answer -> {
          if (closed) {
            letGo(there);
            return;
          }
          if (house.leases().shared() && !place.isEmpty()) {
            // The one before may be in another process; this one has let go of its own.
            letGo(place);
          }
          opened = open.tuner();
          place = there;
          told = 0;
          happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, null));
          happen.accept(new Occurrence.TunerOpened(open.tuner(), answer.aheadLimit()));
        })
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.Unavailable missing) {
            // It may be open there, and only its answer was lost.
            letGo(there);
            happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, missing.detail()));
            house.clock().after(missing.retryAfter(), () -> open(open));
          } else {
            failed(open.tuner(), failure);
          }
        });
  }

  /** Lets the tuner go that was opened last, and opens none any more. */
  void close() {
    closed = true;
    if (!place.isEmpty()) {
      letGo(place);
      place = "";
    }
  }

  private void letGo(String there) {
    house
        .bus()
        .request(Tuners.CLOSE.of(there), new Tuners.Close(id))
        .onFailure(gone -> LOG.debug("experiment {}: {}", id, gone.getMessage()));
  }

  /** Where the assessor is asked; null while no tuner is open. */
  @Nullable Address<Tuners.Assess, Tuners.Assessed> assessor() {
    return place.isEmpty() ? null : Tuners.ASSESS.of(place);
  }

  /** The process of the tuner has gone: another one is opened. */
  void lost(Problem.Unavailable missing) {
    lost(opened, missing);
  }

  private void lost(int tuner, Problem.Unavailable missing) {
    if (tuner == opened && present.test(tuner)) {
      LOG.warn("experiment {}: the tuner is made anew: {}", id, missing.detail());
      happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, missing.detail()));
      happen.accept(new Occurrence.TunerLost(tuner));
    }
  }

  /** Whoever has just been opened may not be known everywhere yet: one more look. */
  private void missed(int tuner, Problem.Unavailable missing, boolean again, Runnable retry) {
    if (again) {
      lost(tuner, missing);
    } else {
      house.clock().after(PAUSE, retry);
    }
  }

  void ask(Decision.Ask ask) {
    ask(ask, 1);
  }

  private void ask(Decision.Ask ask, int attempt) {
    if (!present.test(ask.tuner())) {
      return;
    }
    house
        .bus()
        .request(Tuners.ASK.of(place), new Tuners.Ask(id, ask.count(), ask.firstNumber()))
        .onSuccess(suggestions -> {
          happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, null));
          happen.accept(new Occurrence.Suggested(ask.tuner(), suggestions));
        })
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Unavailable missing) {
            missed(ask.tuner(), missing, attempt > 1, () -> ask(ask, attempt + 1));
            return;
          }
          boolean busy = problem instanceof Problem.Busy;
          boolean hopeless = problem instanceof Problem.Refused;
          if (busy || (!hopeless && attempt < PATIENCE)) {
            LOG.warn("experiment {}: the tuner did not answer: {}", id, problem.detail());
            happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, problem.detail()));
            house.clock().after(PAUSE, () -> ask(ask, busy ? attempt : attempt + 1));
          } else {
            failed(ask.tuner(), failure);
          }
        });
  }

  void tell(Decision.Tell tell) {
    told = Math.max(told, tell.settled().ordinal());
    tell(tell, 1);
  }

  /** A tuner learns in the order of the history: what was overtaken it would not take any more. */
  private void tellAgain(Decision.Tell tell, int attempt, Problem.Unavailable missing) {
    if (tell.settled().ordinal() < told) {
      lost(tell.tuner(), missing);
    } else {
      tell(tell, attempt);
    }
  }

  private void tell(Decision.Tell tell, int attempt) {
    if (!present.test(tell.tuner())) {
      // The one that has been opened since reads this result from the history.
      return;
    }
    house
        .bus()
        .request(Tuners.TELL.of(place), new Tuners.Tell(id, List.of(tell.settled())))
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Unavailable missing) {
            missed(tell.tuner(), missing, attempt > 1, () -> tellAgain(tell, attempt + 1, missing));
          } else if (problem instanceof Problem.Busy) {
            house.clock().after(PAUSE, () -> tell(tell, attempt));
          } else if (problem instanceof Problem.Broken && present.test(tell.tuner())) {
            // It was made anew as often as makes sense already.
            failed(tell.tuner(), failure);
          } else {
            LOG.warn(
                "experiment {}: a result was not told, the tuner is made anew: {}",
                id,
                failure.getMessage());
            house.clock().after(PAUSE, () -> happen.accept(new Occurrence.TunerLost(tell.tuner())));
          }
        });
  }

  private void failed(int tuner, Throwable failure) {
    happen.accept(new Occurrence.TunerFailed(tuner, Problem.of(failure).detail()));
  }
}
