package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.spec.CostChoice;
import java.time.Duration;
import java.util.ArrayList;
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
 *
 * <p>How trials ended it needs to know when it is asked, or while it thinks, and not before: that
 * gathers for a short while, and is told with the next question, because to wake those who think
 * costs more than to tell them.
 */
final class TunerClient {
  private static final Logger LOG = LoggerFactory.getLogger(TunerClient.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A tuner that cannot answer is asked again this many times. */
  private static final int PATIENCE = 5;

  /** Results are told no later than this, whether or not it is asked. */
  private static final Duration GATHERING = Duration.ofMillis(200);

  /** Of results that wait to be told. */
  private static final int MOST_GATHERED = 1_000;

  private final Bus bus;
  private final Clock clock;
  private final boolean shared;
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

  /** Results that are to be told. */
  private final List<Decision.Tell> news = new ArrayList<>();

  private Clock.@Nullable Timer round;

  /** Questions that it thinks about. */
  private int questions;

  private boolean closed;

  /**
   * @param shared whether the work may be another server's
   * @param epoch of the owner's lease
   * @param present whether a tuner is the one of now
   * @param happen takes what the tuner said
   */
  TunerClient(
      Bus bus,
      Clock clock,
      boolean shared,
      ExperimentId id,
      long epoch,
      IntPredicate present,
      Consumer<Occurrence> happen) {
    this.bus = bus;
    this.clock = clock;
    this.shared = shared;
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
    bus.request(
            Tuners.OPEN,
            new Tuners.Open(
                id,
                spec.search().tuner(),
                spec.search().assessor(),
                spec.search().space(),
                spec.search().objectives(),
                spec.search().seed(),
                open.throughOrdinal(),
                there,
                epoch,
                CostChoice.of(spec)))
        .onSuccess(answer -> {
          if (closed) {
            letGo(there);
            return;
          }
          if (shared && !place.isEmpty()) {
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
            clock.after(missing.retryAfter(), () -> open(open));
          } else {
            failed(open.tuner(), failure);
          }
        });
  }

  /** Lets the tuner go that was opened last, and opens none any more. */
  void close() {
    closed = true;
    tellNews();
    if (!place.isEmpty()) {
      letGo(place);
      place = "";
    }
  }

  private void letGo(String there) {
    bus.request(Tuners.CLOSE.of(there), new Tuners.Close(id))
        .onFailure(gone -> LOG.debug("experiment {}: {}", id, gone.getMessage()));
  }

  /** Where the assessor is asked, which has been told all news; null while no tuner is open. */
  @Nullable Address<Tuners.Assess, Tuners.Assessed> assessor() {
    tellNews();
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

  /** Asks once more, because a tuner that was just opened may not be known on every server yet. */
  private void missed(int tuner, Problem.Unavailable missing, boolean again, Runnable retry) {
    if (again) {
      lost(tuner, missing);
    } else {
      clock.after(PAUSE, retry);
    }
  }

  void ask(Decision.Ask ask) {
    ask(ask, 1);
  }

  private void ask(Decision.Ask ask, int attempt) {
    if (!present.test(ask.tuner())) {
      return;
    }
    List<Decision.Tell> with = takeNews();
    questions++;
    bus.request(
            Tuners.ASK.of(place), new Tuners.Ask(id, ask.count(), ask.firstNumber(), results(with)))
        .onComplete((answer, failure) -> questions--)
        .onSuccess(suggestions -> {
          happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, null));
          happen.accept(new Occurrence.Suggested(ask.tuner(), suggestions));
        })
        .onFailure(failure -> {
          // It may not have heard them, and what it has heard it knows again.
          news.addAll(0, with);
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Unavailable missing) {
            boolean again = attempt > 1 || isOvertaken(results(with));
            missed(ask.tuner(), missing, again, () -> ask(ask, attempt + 1));
            return;
          }
          boolean busy = problem instanceof Problem.Busy;
          boolean hopeless = problem instanceof Problem.Refused;
          if (busy || (!hopeless && attempt < PATIENCE)) {
            LOG.warn("experiment {}: the tuner did not answer: {}", id, problem.detail());
            happen.accept(new Occurrence.Delayed(Occurrence.Delayer.TUNER, problem.detail()));
            clock.after(PAUSE, () -> ask(ask, busy ? attempt : attempt + 1));
          } else {
            failed(ask.tuner(), failure);
          }
        });
  }

  void tell(Decision.Tell tell) {
    news.add(tell);
    if (questions > 0 || news.size() >= MOST_GATHERED) {
      tellNews();
    } else if (round == null) {
      round = clock.after(GATHERING, this::tellNews);
    }
  }

  private void tellNews() {
    List<Settled> results = results(takeNews());
    if (!results.isEmpty()) {
      tell(opened, results, 1);
    }
  }

  /** What is to be told now; what was meant for one before, the one of now has read. */
  private List<Decision.Tell> takeNews() {
    if (round != null) {
      round.cancel();
      round = null;
    }
    List<Decision.Tell> taken = news.stream().filter(tell -> present.test(tell.tuner())).toList();
    news.clear();
    if (!taken.isEmpty()) {
      told = Math.max(told, taken.getLast().settled().ordinal());
    }
    return taken;
  }

  private static List<Settled> results(List<Decision.Tell> news) {
    return news.stream().map(Decision.Tell::settled).toList();
  }

  /** A tuner learns in the order of the history: what was overtaken it would not take any more. */
  private boolean isOvertaken(List<Settled> results) {
    return !results.isEmpty() && results.getLast().ordinal() < told;
  }

  private void tellAgain(
      int tuner, List<Settled> results, int attempt, Problem.Unavailable missing) {
    if (isOvertaken(results)) {
      lost(tuner, missing);
    } else {
      tell(tuner, results, attempt);
    }
  }

  private void tell(int tuner, List<Settled> results, int attempt) {
    if (!present.test(tuner)) {
      // The one that has been opened since reads these results from the history.
      return;
    }
    bus.request(Tuners.TELL.of(place), new Tuners.Tell(id, results))
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
          if (problem instanceof Problem.Unavailable missing) {
            missed(
                tuner, missing, attempt > 1, () -> tellAgain(tuner, results, attempt + 1, missing));
          } else if (problem instanceof Problem.Busy) {
            clock.after(PAUSE, () -> tell(tuner, results, attempt));
          } else if (problem instanceof Problem.Broken && present.test(tuner)) {
            // It was made anew as often as makes sense already.
            failed(tuner, failure);
          } else {
            LOG.warn(
                "could not tell results to the tuner of experiment {}, rebuilding it: {}",
                id,
                failure.getMessage());
            clock.after(PAUSE, () -> happen.accept(new Occurrence.TunerLost(tuner)));
          }
        });
  }

  private void failed(int tuner, Throwable failure) {
    happen.accept(new Occurrence.TunerFailed(tuner, Problem.of(failure).detail()));
  }
}
