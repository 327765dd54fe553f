package io.orrery.orchestrator.experiment.simulation;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.time.VirtualClock;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.spec.CostChoice;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated experiment: the same model decides, the real tuner is asked, and the virtual clock
 * moves when no event is left at the present time. Nothing is stored, so every change counts as
 * durable at once. The same specification gives the same run every time.
 *
 * <p>Belongs to one context, its platform as well. Assessors take no part: they read stored
 * metrics, and there are none.
 */
final class SimulationRun implements PlatformListener {
  private static final Instant BEGIN = Instant.EPOCH;

  /**
   * So often a question to the tuner is asked. One that thinks for long goes on thinking meanwhile;
   * one that cannot be reached is waited for.
   */
  private static final int PATIENCE = 20;

  /** Before the second time; then twice as long each time. */
  private static final Duration SHORTEST = Duration.ofMillis(50);

  private final Bus bus;
  private final ExperimentId id;
  private final ExperimentSpec spec;
  private final VirtualClock clock = new VirtualClock(BEGIN);

  /** The time of those who wait for it. */
  private final Clock outside;

  private final TrainingService platform;
  private final ExperimentModel model;

  /** Where its tuner is asked; empty before one was opened. */
  private String place = "";

  /** How often one was opened: no two have the same place. */
  private int openings;

  private final Promise<Simulations.Run> done = Promise.promise();
  private final Deque<Occurrence> inbox = new ArrayDeque<>();
  private final Map<AttemptRef, MetricValue> finals = new HashMap<>();
  private final Map<AttemptRef, MetricValue> latest = new HashMap<>();
  private final Map<AttemptRef, Instant> started = new HashMap<>();
  private Clock.@Nullable Timer alarm;
  private @Nullable TrialId best;
  private Instant bestSince = BEGIN;
  private Duration busy = Duration.ZERO;
  private long attempts;

  /** Questions to the tuner that are under way: time stands still while there are any. */
  private int questions;

  private boolean deciding;
  private boolean over;

  /**
   * @param id of nothing that exists
   * @param outside by which a tuner is waited for that cannot be reached
   * @param open opens the platform on a clock, for a listener
   */
  SimulationRun(Bus bus, ExperimentId id, ExperimentSpec spec, Clock outside, Opening open) {
    this.bus = bus;
    this.outside = outside;
    this.id = id;
    this.spec = spec;
    this.model = new ExperimentModel(ExperimentRecord.of(id, spec, BEGIN), List.of());
    this.platform = open.open(clock, this);
  }

  /** Makes a platform that lives on the clock that it is given, and on nothing else. */
  @FunctionalInterface
  interface Opening {
    TrainingService open(Clock clock, PlatformListener listener);
  }

  /** Plays it through. */
  Future<Simulations.Run> run() {
    platform
        .prepare(id, spec.job(), spec.search())
        .onSuccess(ready -> {
          happen(new Occurrence.Opened());
          goOn();
        })
        .onFailure(done::tryFail);
    return done.future().eventually(() -> Future.join(platform.close(), closeTuner()));
  }

  private Future<?> closeTuner() {
    String gone = place;
    place = "";
    return gone.isEmpty() ? Future.succeededFuture() : letGo(gone);
  }

  private Future<?> letGo(String there) {
    return bus.request(Tuners.CLOSE.of(there), new Tuners.Close(id)).otherwiseEmpty();
  }

  /** Gives it up where it is. */
  void abandon() {
    over = true;
    done.tryFail(new Problem.Busy("was given up", Duration.ofSeconds(1)).toException());
  }

  // ---- time ----------------------------------------------------------------------------------

  private void goOn() {
    while (questions == 0 && !over) {
      if (!clock.step()) {
        over = true;
        done.tryFail(
            new IllegalStateException("the rehearsal waits for something that never comes"));
      }
    }
  }

  private void setAlarm() {
    if (alarm != null) {
      alarm.cancel();
    }
    Instant now = clock.now();
    alarm =
        model
            .nextWake(now)
            .map(next -> Duration.between(now, next))
            .map(pause -> pause.isNegative() ? Duration.ZERO : pause)
            .map(pause -> clock.after(pause, () -> happen(new Occurrence.Woken())))
            .orElse(null);
  }

  // ---- what happens --------------------------------------------------------------------------

  @Override
  public void happened(PlatformEvent event) {
    switch (event) {
      case PlatformEvent.Started(AttemptRef attempt, Instant at, String _) -> {
        if (started.put(attempt, at) == null) {
          attempts++;
        }
      }
      case PlatformEvent.Ended ended -> {
        Instant since = started.remove(ended.attempt());
        busy = since == null ? busy : busy.plus(Duration.between(since, ended.at()));
      }
      case PlatformEvent.Waiting _,
          PlatformEvent.Vacated _,
          PlatformEvent.Noted _,
          PlatformEvent.Unreachable _ -> {}
    }
    happen(new Occurrence.Platform(event));
  }

  @Override
  public Future<Void> reported(List<MetricPoint> points) {
    for (MetricPoint point : points) {
      (point.kind() == MetricKind.FINAL ? finals : latest).put(point.attempt(), point.value());
    }
    return Future.succeededFuture();
  }

  /** What follows from one thing is decided before the next is looked at. */
  private void happen(Occurrence occurrence) {
    inbox.add(occurrence);
    if (deciding) {
      return;
    }
    deciding = true;
    while (!inbox.isEmpty() && !over) {
      model.decide(inbox.remove(), clock.now()).forEach(this::carryOut);
      commit();
    }
    deciding = false;
    if (!over) {
      setAlarm();
    }
  }

  private void commit() {
    List<TrialId> plans =
        model.takeChanges().trials().stream()
            .filter(trial -> trial.phase() == Phase.PLANNED)
            .map(trial -> trial.ref.trial())
            .toList();
    if (!plans.isEmpty()) {
      inbox.add(new Occurrence.Committed(plans));
    }
    TrialId leader = leader();
    if (!Objects.equals(leader, best)) {
      best = leader;
      bestSince = clock.now();
    }
  }

  private @Nullable TrialId leader() {
    Experiment.Best found = model.record(clock.now()).best();
    return found == null ? null : found.trial();
  }

  // ---- carrying out --------------------------------------------------------------------------

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.OpenTuner open -> openTuner(open);
      case Decision.Ask ask -> {
        Address<Tuners.Ask, Tuners.Suggestions> there = Tuners.ASK.of(place);
        question(
            insist(() -> bus.request(there, new Tuners.Ask(id, ask.count(), ask.firstNumber())), 1),
            suggestions -> new Occurrence.Suggested(ask.tuner(), suggestions),
            ask.tuner());
      }
      case Decision.Tell tell -> {
        Address<Tuners.Tell, Tuners.Told> there = Tuners.TELL.of(place);
        question(
            insist(() -> bus.request(there, new Tuners.Tell(id, List.of(tell.settled()))), 1),
            told -> null,
            tell.tuner());
      }
      case Decision.Submit(var submission) ->
          platform
              .submit(submission)
              .onFailure(failure -> {
                Problem problem = Problem.of(failure);
                happen(
                    problem instanceof Problem.Passing
                        ? new Occurrence.Deferred(submission.attempt(), problem.detail())
                        : new Occurrence.NotSubmitted(submission.attempt(), problem.detail()));
              });
      case Decision.Withdraw(AttemptRef attempt) ->
          platform
              .withdraw(attempt)
              .onSuccess(taken -> {
                if (taken) {
                  happen(new Occurrence.Withdrawn(attempt));
                }
              });
      case Decision.CancelAttempt(AttemptRef attempt) ->
          platform.cancel(attempt).onFailure(done::tryFail);
      case Decision.ReadStderr(AttemptRef attempt) ->
          happen(new Occurrence.StderrRead(attempt, ""));
      case Decision.CollectResult(AttemptRef attempt, Duration delay) ->
          clock.after(
              delay,
              () -> happen(new Occurrence.ResultCollected(attempt, finals.get(attempt), null)));
      case Decision.CollectLatest(AttemptRef attempt) ->
          happen(new Occurrence.ResultCollected(attempt, latest.get(attempt), null));
      case Decision.GiveSet set ->
          throw new IllegalStateException("a simulated trial asks for no other set: " + set);
      // Who is best of those that have left memory is only asked for after late results.
      case Decision.FindBest() -> happen(new Occurrence.BestFound(null));
      case Decision.Retire() -> finish();
    }
  }

  /** The one before goes first: where tuners run apart, the next may be another process's. */
  private void openTuner(Decision.OpenTuner open) {
    question(
        closeTuner().compose(closed -> insist(() -> openAt(open), 1)),
        opened -> new Occurrence.TunerOpened(open.tuner(), opened.aheadLimit()),
        open.tuner());
  }

  private Future<Tuners.Opened> openAt(Decision.OpenTuner open) {
    ExperimentSpec of = open.spec();
    String there = id + ".0." + ++openings;
    return bus.request(
            Tuners.OPEN,
            new Tuners.Open(
                id,
                of.search().tuner(),
                null,
                of.search().space(),
                of.search().objectives(),
                of.search().seed(),
                open.throughOrdinal(),
                there,
                Tuners.NO_LEASE,
                CostChoice.of(of)))
        .onSuccess(opened -> {
          if (over) {
            letGo(there);
          } else {
            place = there;
          }
        })
        // It may be open there, and only its answer was lost.
        .recover(failure -> letGo(there).compose(gone -> Future.failedFuture(failure)));
  }

  /** Asks again for as long as that makes sense. */
  private <A> Future<A> insist(Supplier<Future<A>> question, int time) {
    return question
        .get()
        .recover(failure -> {
          Problem problem = Problem.of(failure);
          if (!(problem instanceof Problem.Passing) || over || time >= PATIENCE) {
            return Future.failedFuture(failure);
          }
          // Who is busy has kept the question for a while already.
          return problem instanceof Problem.Unavailable missing
              ? pause(time, missing.retryAfter()).compose(waited -> insist(question, time + 1))
              : insist(question, time + 1);
        });
  }

  /** Waits, because a tuner that was just opened may not be known on every server yet. */
  private Future<Void> pause(int time, Duration longest) {
    Duration pause = SHORTEST.multipliedBy(1L << Math.min(time - 1, 10));
    Promise<Void> waited = Promise.promise();
    outside.after(pause.compareTo(longest) < 0 ? pause : longest, waited::complete);
    return waited.future();
  }

  private <A> void question(Future<A> asked, Function<A, @Nullable Occurrence> news, int tuner) {
    questions++;
    asked.onComplete(
        answer -> {
          questions--;
          Occurrence occurrence = news.apply(answer);
          if (occurrence != null) {
            happen(occurrence);
          }
          goOn();
        },
        failure -> {
          questions--;
          if (Problem.of(failure) instanceof Problem.Unavailable) {
            // It is no fault of the experiment, so this is not how it would go.
            over = true;
            done.tryFail(failure);
            return;
          }
          happen(new Occurrence.TunerFailed(tuner, Problem.of(failure).detail()));
          goOn();
        });
  }

  private void finish() {
    over = true;
    ExperimentRecord end = model.record(clock.now());
    Experiment.Best found = end.best();
    done.tryComplete(
        new Simulations.Run(
            spec.search().seed(),
            end.status(),
            end.error(),
            end.counts(),
            attempts,
            seconds(Duration.between(BEGIN, clock.now())),
            seconds(busy),
            found == null
                ? null
                : new Simulations.Best(
                    found.metric(),
                    found.parameters(),
                    seconds(Duration.between(BEGIN, bestSince)))));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
