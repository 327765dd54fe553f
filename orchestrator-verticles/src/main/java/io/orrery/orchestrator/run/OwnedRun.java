package io.orrery.orchestrator.run;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.ProgramUse;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepStatus;
import io.orrery.core.sql.Statement;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.run.RunTable.Stored;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of this server: takes events one after the other, has the model decide, stores what has
 * changed, and only then carries out what was decided. Events that come during a write are taken
 * together after it, so that a wide run costs few writes. Used on the context of the owner alone.
 */
final class OwnedRun {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedRun.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final RunSpec spec;
  private final RunTable table;
  private final Clock clock;
  private final RunModel model;
  private final StepRunner runner;
  private final Runnable changed;
  private final Runnable over;
  private final Deque<Pending> inbox = new ArrayDeque<>();
  private final List<Statement> uses = new ArrayList<>();
  private RunState stored;
  private Clock.@Nullable Timer wake;
  private boolean busy;
  private boolean closed;

  /** An event, and who waits until what it changes is durable. */
  private record Pending(RunEvent event, @Nullable Promise<Void> done) {}

  /**
   * @param changed called after each write
   * @param over called when the run has ended and everything about it is stored
   */
  OwnedRun(Stored run, StepRunner.Surroundings with, Runnable changed, Runnable over) {
    this.spec = run.spec();
    this.table = with.table();
    this.clock = with.clock();
    this.changed = changed;
    this.over = over;
    this.stored = run.state();
    this.model = new RunModel(run.spec(), run.state(), run.steps());
    this.runner = new StepRunner(with, run.spec(), model, this::tell);
  }

  RunId id() {
    return spec.id();
  }

  StepRunner runner() {
    return runner;
  }

  void close() {
    closed = true;
    runner.close();
    if (wake != null) {
      wake.cancel();
    }
    for (Pending pending; (pending = inbox.poll()) != null; ) {
      Promise<Void> done = pending.done();
      if (done != null) {
        done.fail(changesOwner());
      }
    }
  }

  private static ProblemException changesOwner() {
    return new Problem.Busy("the run changes its owner", AGAIN).toException();
  }

  /** Takes what has happened to an attempt. */
  void hear(PlatformEvent event) {
    int step = StepSubmission.step(event.attempt());
    int attempt = event.attempt().number();
    switch (event) {
      case PlatformEvent.Waiting waiting ->
          tell(new RunEvent.Waits(step, attempt, waiting.reason()));
      case PlatformEvent.Started started -> tell(new RunEvent.Started(step, attempt, started.at()));
      case PlatformEvent.Ended ended -> {
        measured(step, ended);
        tell(new RunEvent.Ended(step, attempt, ended.exitCode(), ended.reason(), ended.at()));
      }
      case PlatformEvent.Unreachable away -> tell(new RunEvent.Waits(step, attempt, away.reason()));
      case PlatformEvent.Vacated ignored -> {}
      case PlatformEvent.Noted ignored -> {}
    }
  }

  /** Keeps what an attempt has used that ended well: another one may have stopped halfway. */
  private void measured(int number, PlatformEvent.Ended ended) {
    Instant from = model.step(number).startedAt();
    ProgramUse use = ended.use();
    if (use != null && from != null && Objects.equals(ended.exitCode(), 0)) {
      int attempt = ended.attempt().number();
      StepSpec step = model.graph().step(number);
      uses.add(RunStatements.use(spec, number, step, attempt, use, from, ended.at()));
    }
  }

  /** Gives back what steps held that ended while the run had no owner. */
  void takeOver() {
    if (!stored.equals(RunState.NEW)) {
      runner.quota.takeOver(model.inFlight());
    }
  }

  /** Whether nothing about it is left to do. */
  boolean isOver() {
    return !busy && inbox.isEmpty() && model.state().status().isOver();
  }

  /** Takes an event. */
  void tell(RunEvent event) {
    if (!closed) {
      inbox.add(new Pending(event, null));
      takeNext();
    }
  }

  /** Takes a command; completes when it is durable, fails when the run cannot take it. */
  Future<Void> command(RunEvent event) {
    if (closed) {
      return Future.failedFuture(changesOwner());
    }
    Promise<Void> done = Promise.promise();
    inbox.add(new Pending(event, done));
    takeNext();
    return done.future();
  }

  /** Fails when the run cannot take a command now; nothing changes. */
  Future<Void> check(RunEvent.Command command) {
    if (closed) {
      return Future.failedFuture(changesOwner());
    }
    model.check(command, clock.now());
    return Future.succeededFuture();
  }

  private void takeNext() {
    if (busy || closed || inbox.isEmpty()) {
      return;
    }
    busy = true;
    List<RunDecision> decisions = new ArrayList<>();
    List<Promise<Void>> waiting = new ArrayList<>();
    Instant now = clock.now();
    for (Pending pending; (pending = inbox.poll()) != null; ) {
      Promise<Void> done = pending.done();
      try {
        decisions.removeIf(RunDecision.WakeAt.class::isInstance);
        decisions.addAll(model.decide(pending.event(), now));
        if (done != null) {
          waiting.add(done);
        }
      } catch (ProblemException refused) {
        if (done != null) {
          done.fail(refused);
        }
      }
    }
    Set<Integer> steps = model.takeChanges();
    write(statements(steps, now), steps, decisions, waiting);
  }

  private List<Statement> statements(Set<Integer> steps, Instant now) {
    List<Statement> statements = new ArrayList<>(uses);
    uses.clear();
    for (int number : steps) {
      StepState state = model.step(number);
      statements.add(RunStatements.update(spec.id(), number, state));
      if (state.status() == StepStatus.SUCCEEDED || state.status() == StepStatus.CACHED) {
        statements.addAll(
            RunStatements.artifacts(spec.id(), model.graph().step(number).name(), state, now));
      }
    }
    if (!model.state().equals(stored)) {
      statements.add(RunStatements.update(spec.id(), model.state()));
      if (model.state().status() != stored.status()) {
        statements.addAll(RunStatements.alerts(spec, model.state(), now));
      }
    }
    return statements;
  }

  private void write(
      List<Statement> statements,
      Set<Integer> steps,
      List<RunDecision> decisions,
      List<Promise<Void>> waiting) {
    RunState state = model.state();
    Future<Void> written =
        statements.isEmpty() ? Future.succeededFuture() : table.write(statements);
    written
        .onSuccess(done -> {
          stored = state;
          busy = false;
          waiting.forEach(Promise::complete);
          if (!statements.isEmpty()) {
            changed.run();
          }
          steps.stream()
              .filter(number -> !model.step(number).status().isInFlight())
              .forEach(number -> runner.quota.settled(number, model.graph().step(number)));
          carryOut(decisions);
          tidy(steps);
          takeNext();
        })
        .onFailure(failure -> {
          if (closed) {
            waiting.forEach(each -> each.tryFail(failure));
            return;
          }
          LOG.warn(
              "could not store run {}, trying again: {}", spec.id(), Problem.of(failure).detail());
          clock.after(
              AGAIN,
              () -> {
                if (closed) {
                  waiting.forEach(each -> each.tryFail(failure));
                } else {
                  write(statements, steps, decisions, waiting);
                }
              });
        });
  }

  private void carryOut(List<RunDecision> decisions) {
    if (closed) {
      return;
    }
    List<RunDecision.Adopt> adopt = new ArrayList<>();
    boolean finished = false;
    if (wake != null) {
      wake.cancel();
      wake = null;
    }
    for (RunDecision decision : decisions) {
      switch (decision) {
        case RunDecision.Launch(int step, int attempt) -> runner.launch(step, attempt);
        case RunDecision.Adopt each -> adopt.add(each);
        case RunDecision.Cancel(int step, int attempt) -> runner.cancel(step, attempt);
        case RunDecision.Collect(int step, int attempt) -> runner.collect(step, attempt);
        case RunDecision.WakeAt(Instant at) -> wakeAt(at);
        case RunDecision.Finish() -> finished = true;
      }
    }
    if (!adopt.isEmpty()) {
      runner.adopt(adopt);
    }
    if (finished) {
      runner.quota.over();
    }
    if (finished && inbox.isEmpty()) {
      over.run();
    }
  }

  private void wakeAt(Instant at) {
    Duration pause = Duration.between(clock.now(), at);
    wake =
        clock.after(pause.isNegative() ? Duration.ZERO : pause, () -> tell(new RunEvent.Ticked()));
  }

  /** The directories of steps that failed stay, for those who look for the reason. */
  private void tidy(Set<Integer> steps) {
    for (int number : steps) {
      StepState state = model.step(number);
      if (state.status() == StepStatus.SUCCEEDED || state.status() == StepStatus.CACHED) {
        runner.tidy(number, state.attempt());
      }
    }
  }
}
