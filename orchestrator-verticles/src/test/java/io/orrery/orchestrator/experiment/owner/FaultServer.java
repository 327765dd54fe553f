package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.experiment.owner.FaultDisk.Reported;
import io.orrery.orchestrator.submission.FaultGate;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A life of a server, from its start until it is killed: the model, its writes in a pipeline, and
 * the gate, with everything in between taking its time. After {@link #kill} nothing of it reaches
 * the disk or the cluster any more.
 */
final class FaultServer {
  private static final boolean TRACED = Boolean.getBoolean("orrery.faults.trace");

  private final SplittableRandom chance;
  private final Clock clock;
  private final FaultDisk disk;
  private final FaultCluster cluster;
  private final ExperimentModel model;
  private final FaultGate gate;
  private final ParameterSetHandler sets;
  private boolean alive = true;
  private boolean writing;
  private boolean roundIsDue;
  private boolean diskFails;
  private List<Decision.AfterCommit> decided = new ArrayList<>();
  private List<Promise<Void>> waiters = new ArrayList<>();
  private Clock.Timer alarm;
  private FaultDisk.Write underWay;

  FaultServer(SplittableRandom chance, Clock clock, FaultDisk disk, FaultCluster cluster) {
    this.chance = chance;
    this.clock = clock;
    this.disk = disk;
    this.cluster = cluster;
    this.model = new ExperimentModel(disk.record, disk.moving());
    this.sets = new ParameterSetHandler(clock, model, this::happen);
    this.gate =
        new FaultGate(
            cluster,
            clock,
            () -> alive,
            waiting -> happen(new Occurrence.Platform(waiting)),
            (attempt, reason) -> happen(new Occurrence.NotSubmitted(attempt, reason)));
  }

  void start() {
    List<TrialState> before =
        model.moving().stream().filter(trial -> trial.phase() != Phase.SETTLING).toList();
    List<Submission> submissions =
        before.stream().map(trial -> trial.submission(model.spec().job())).toList();
    happen(new Occurrence.Opened());
    cluster
        .adopt(submissions)
        .onSuccess(unknown -> unknown.forEach(ref -> happen(new Occurrence.NotAdopted(ref))));
    for (AttemptRef attempt : disk.withoutResult()) {
      Reported last = disk.finals.get(attempt);
      if (last != null) {
        stored(attempt, last);
      }
    }
  }

  /** At the worst moment: a write that is under way may be there afterwards, or not. */
  void kill() {
    boolean written = underWay != null && chance.nextBoolean();
    if (written) {
      disk.commit(underWay);
    }
    trace("killed, the write under way is", written ? "there" : "not there");
    alive = false;
  }

  private void trace(String what, Object which) {
    if (TRACED) {
      System.out.println(clock.now() + " " + what + " " + which);
    }
  }

  void diskFails(boolean now) {
    diskFails = now;
  }

  boolean alive() {
    return alive;
  }

  boolean over() {
    return disk.record.over() && !writing && !model.hasChanges();
  }

  ExperimentModel model() {
    return model;
  }

  private void soon(Runnable step) {
    soon(1, 40, step);
  }

  private void soon(int from, int to, Runnable step) {
    clock.after(
        Duration.ofMillis(chance.nextInt(from, to)),
        () -> {
          if (alive) {
            step.run();
          }
        });
  }

  // ---- what happens --------------------------------------------------------------------------

  void happened(PlatformEvent event) {
    happen(new Occurrence.Platform(event));
  }

  /** An attempt asks for its next parameter set. */
  Future<Trials.Next> next(AttemptRef attempt, int index) {
    return alive
        ? sets.ask(new Trials.NextOf(attempt, index))
        : Future.failedFuture("no server is there");
  }

  /** A final result became durable. */
  void stored(AttemptRef attempt, Reported result) {
    soon(() -> heard(attempt, result));
  }

  private void heard(AttemptRef attempt, Reported result) {
    MetricValue value = result.value();
    String of = result.parameterId();
    Optional<TrialState> moving = model.moving(attempt.trial().trial());
    if (moving.isPresent()) {
      if (model.isSettling(attempt) || model.awaitsResult(attempt)) {
        happen(new Occurrence.ResultCollected(attempt, value, of));
      } else if (moving.get().attempt().equals(attempt)
          && moving.get().sets().hasGoneOnFrom(of)
          && !value.equals(moving.get().sets().resultOf(of))) {
        happen(new Occurrence.LateResult(moving.get(), value, of));
      }
      return;
    }
    stored(attempt.trial().trial())
        .onSuccess(found ->
            found
                .filter(trial -> trial.phase() == Phase.SETTLED)
                .filter(trial -> trial.attempt().equals(attempt))
                .filter(trial -> !value.equals(trial.sets().resultOf(of)))
                .filter(trial -> model.moving(attempt.trial().trial()).isEmpty())
                .ifPresent(trial -> happen(new Occurrence.LateResult(trial, value, of))));
  }

  /** A user wants a trial run again that has settled. */
  Future<Void> askAgain(TrialId trial) {
    return stored(trial)
        .compose(found ->
            found
                .map(settled -> ask(new Occurrence.TrialRetryAsked(settled)))
                .orElseGet(() -> Future.failedFuture("there is none")));
  }

  /** As {@link StateWriter#stored} does it. */
  private Future<Optional<TrialState>> stored(TrialId trial) {
    Promise<Optional<TrialState>> answer = Promise.promise();
    durable()
        .onSuccess(durable ->
            soon(() -> {
              Optional<TrialState> found = disk.find(trial);
              soon(() -> {
                boolean behind =
                    model.hasChanged(trial)
                        || (underWay != null
                            && underWay.rows().stream()
                                .anyMatch(row -> row.ref().trial().equals(trial)));
                (behind ? stored(trial) : Future.succeededFuture(found)).onComplete(answer);
              });
            }));
    return answer.future();
  }

  /** What a user asks for: completes when it is durable, fails when it is refused. */
  Future<Void> ask(Occurrence wish) {
    if (!alive) {
      return Future.failedFuture("no server is there");
    }
    try {
      happen(wish);
    } catch (ProblemException refused) {
      return Future.failedFuture(refused);
    }
    return durable();
  }

  private void happen(Occurrence occurrence) {
    if (!alive) {
      return;
    }
    trace("happens", occurrence);
    for (Decision decision : model.decide(occurrence, clock.now())) {
      trace("  decided", decision);
      switch (decision) {
        case Decision.AtOnce now -> carryOut(now);
        case Decision.AfterCommit later -> decided.add(later);
      }
    }
    flush();
    setAlarm();
  }

  private void setAlarm() {
    if (alarm != null) {
      alarm.cancel();
    }
    alarm =
        model
            .nextWake(clock.now())
            .map(next -> Duration.between(clock.now(), next))
            .map(pause -> pause.isNegative() ? Duration.ZERO : pause)
            .map(pause -> clock.after(pause, () -> happen(new Occurrence.Woken())))
            .orElse(null);
  }

  // ---- making durable, as StateWriter does ---------------------------------------------------

  private Future<Void> durable() {
    if (!writing && !model.hasChanges()) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    waiters.add(promise);
    flush();
    return promise.future();
  }

  private FaultCommit take() {
    FaultCommit commit = new FaultCommit(model.takeChanges(), decided, waiters);
    decided = new ArrayList<>();
    waiters = new ArrayList<>();
    return commit;
  }

  private void flush() {
    boolean awaited = !decided.isEmpty() || !waiters.isEmpty() || model.awaitsCommit();
    if (awaited || chance.nextBoolean()) {
      flushNow();
    } else if (!roundIsDue) {
      roundIsDue = true;
      soon(1, 15, this::flushNow);
    }
  }

  private void flushNow() {
    roundIsDue = false;
    if (writing) {
      return;
    }
    FaultCommit commit = take();
    if (commit.changes().isEmpty()) {
      release(commit);
    } else {
      writing = true;
      write(commit);
    }
  }

  private void write(FaultCommit commit) {
    underWay = commit.write(model.record(clock.now()));
    List<TrialId> planned = commit.planned();
    soon(
        2,
        60,
        () -> {
          if (diskFails || chance.nextInt(50) == 0) {
            underWay = null;
            soon(500, 1_000, () -> writeAgain(commit));
            return;
          }
          disk.commit(underWay);
          underWay = null;
          writing = false;
          release(commit);
          happen(new Occurrence.Committed(planned));
          flush();
        });
  }

  private void writeAgain(FaultCommit commit) {
    FaultCommit newer = take();
    newer.mergeOlder(commit);
    write(newer);
  }

  private void release(FaultCommit commit) {
    commit.decided().forEach(this::carryOut);
    commit.waiting().forEach(Promise::complete);
  }

  // ---- carrying out --------------------------------------------------------------------------

  private void carryOut(Decision.AtOnce decision) {
    switch (decision) {
      case Decision.Ask ask -> soon(() -> answer(ask));
      case Decision.Submit(Submission submission) -> {
        if (!gate.enter(submission)) {
          soon(() -> happen(new Occurrence.Deferred(submission.attempt(), "too many wait")));
        }
      }
      case Decision.Withdraw(AttemptRef attempt) ->
          soon(() ->
              gate.withdraw(attempt)
                  .onSuccess(taken -> {
                    if (taken) {
                      happen(new Occurrence.Withdrawn(attempt));
                    }
                  }));
      case Decision.CollectResult(AttemptRef attempt, Duration delay) -> {
        if (delay.isZero() && disk.finals.containsKey(attempt) && chance.nextBoolean()) {
          // It was heard of before.
          collected(attempt, disk.finals.get(attempt));
        } else {
          clock.after(delay, () -> soon(() -> collect(attempt, disk.finals)));
        }
      }
      case Decision.ReadStderr(AttemptRef attempt) ->
          soon(() -> happen(new Occurrence.StderrRead(attempt, "out of memory")));
      case Decision.CollectLatest(AttemptRef attempt) -> soon(() -> collect(attempt, disk.latest));
      case Decision.Tell(int tuner, var settled) -> {
        if (chance.nextInt(40) == 0) {
          soon(() -> happen(new Occurrence.TunerLost(tuner)));
        }
      }
    }
  }

  /** What is read now is known only a little later. */
  private void collect(AttemptRef attempt, Map<AttemptRef, Reported> from) {
    Reported last = from.get(attempt);
    soon(() -> collected(attempt, last));
  }

  private void collected(AttemptRef attempt, @Nullable Reported last) {
    happen(
        last == null
            ? new Occurrence.ResultCollected(attempt, null, null)
            : new Occurrence.ResultCollected(attempt, last.value(), last.parameterId()));
  }

  private void answer(Decision.Ask ask) {
    List<Tuners.Suggestion> items =
        LongStream.range(ask.firstNumber(), ask.firstNumber() + ask.count())
            .mapToObj(n -> new Tuners.Suggestion("" + n, new Parameters(Map.of("x", n))))
            .toList();
    happen(new Occurrence.Suggested(ask.tuner(), new Tuners.Suggestions(items, false)));
  }

  private void carryOut(Decision.AfterCommit decision) {
    switch (decision) {
      case Decision.OpenTuner open -> {
        int ahead = chance.nextInt(4);
        soon(() -> happen(new Occurrence.TunerOpened(open.tuner(), ahead)));
      }
      case Decision.GiveSet given -> sets.give(given);
      case Decision.CancelAttempt(AttemptRef attempt) ->
          soon(() -> gate.cancel(attempt, clock.now(), this::happened));
      case Decision.FindBest() -> {
        var best = disk.best(model.spec().search().direction()).orElse(null);
        soon(() -> happen(new Occurrence.BestFound(best)));
      }
      case Decision.Retire() -> {}
    }
  }
}
