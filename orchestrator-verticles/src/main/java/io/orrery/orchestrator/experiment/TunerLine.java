package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.experiment.ExperimentVerticle.House;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the words between an experiment and its tuner over the bus. What fails for a passing
 * reason is said again, as long as it is still the same tuner that is meant.
 */
final class TunerLine {
  private static final Logger LOG = LoggerFactory.getLogger(TunerLine.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A tuner that cannot answer is asked again this many times. */
  private static final int PATIENCE = 5;

  private final House house;
  private final ExperimentId id;
  private final IntPredicate present;
  private final Consumer<Occurrence> happen;

  /**
   * @param present whether a tuner is the one of now
   * @param happen takes what the tuner said
   */
  TunerLine(House house, ExperimentId id, IntPredicate present, Consumer<Occurrence> happen) {
    this.house = house;
    this.id = id;
    this.present = present;
    this.happen = happen;
  }

  void open(Decision.OpenTuner open) {
    ExperimentSpec spec = open.spec();
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
                open.throughOrdinal()))
        .onSuccess(
            opened -> happen.accept(new Occurrence.TunerOpened(open.tuner(), opened.aheadLimit())))
        .onFailure(failure -> failed(open.tuner(), failure));
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
        .request(Tuners.ASK, new Tuners.Ask(id, ask.count(), ask.firstNumber()))
        .onSuccess(suggestions -> {
          happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, null));
          happen.accept(new Occurrence.Suggested(ask.tuner(), suggestions));
        })
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
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
    if (!present.test(tell.tuner())) {
      // The one that has been opened since reads this result from the history.
      return;
    }
    house
        .bus()
        .request(Tuners.TELL, new Tuners.Tell(id, List.of(tell.settled())))
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Busy) {
            house.clock().after(PAUSE, () -> tell(tell));
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
