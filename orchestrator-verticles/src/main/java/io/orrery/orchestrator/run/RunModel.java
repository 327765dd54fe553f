package io.orrery.orchestrator.run;

import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.Condition;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepStatus;
import io.orrery.core.run.StepWork;
import io.orrery.orchestrator.run.StepState.EarlyEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The decisions over a run: pure, of the state that is stored and of one event after the other. The
 * caller stores what {@link #takeChanges} names, and only then carries out the decisions.
 */
final class RunModel {
  private final RunSpec spec;
  private final RunGraph graph;
  private final StepBoard board;
  private final RunOutputs outputs;
  private final RunCommands commands;
  private RunState state;
  private List<RunDecision> decisions = new ArrayList<>();

  /**
   * @param steps by number, the exit step last
   */
  RunModel(RunSpec spec, RunState state, List<StepState> steps) {
    this.spec = spec;
    this.state = state;
    this.graph = new RunGraph(spec);
    this.board = new StepBoard(spec.id(), graph, steps);
    this.outputs = new RunOutputs(graph, board::step);
    this.commands = new RunCommands(spec.id(), graph, board);
  }

  /** The states of the steps of a new run. */
  static List<StepState> fresh(RunSpec spec) {
    int number = spec.steps().size() + (spec.onExit() == null ? 0 : 1);
    return IntStream.range(0, number).mapToObj(i -> StepState.NEW).toList();
  }

  RunGraph graph() {
    return graph;
  }

  RunOutputs outputs() {
    return outputs;
  }

  RunState state() {
    return state;
  }

  /** The steps that have an attempt under way. */
  Set<Integer> inFlight() {
    return Set.copyOf(board.inFlight());
  }

  StepState step(int number) {
    return board.step(number);
  }

  /** The steps that have changed since the last call, by number. */
  Set<Integer> takeChanges() {
    return board.takeChanges();
  }

  /**
   * Decides.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict for a command that the state does not
   *     allow, Refused for one that names no step; nothing has changed then
   */
  List<RunDecision> decide(RunEvent event, Instant now) {
    decisions = new ArrayList<>();
    switch (event) {
      case RunEvent.Opened ignored -> takeUp();
      case RunEvent.Ticked ignored -> {}
      case RunEvent.Command command -> state = accepted(command, now).get();
      case RunEvent.OfAttempt news -> {
        if (isPresent(news)) {
          hear(news, now);
        }
      }
    }
    advance(now);
    return decisions;
  }

  /** Refuses a command as {@link #decide} would; changes nothing. */
  void check(RunEvent.Command command, Instant now) {
    accepted(command, now);
  }

  private Supplier<RunState> accepted(RunEvent.Command command, Instant now) {
    return commands.accept(command, state, now, cancel -> end(cancel, now));
  }

  /** News of an attempt that is over, or was replaced, change nothing. */
  private boolean isPresent(RunEvent.OfAttempt news) {
    StepState step = board.step(news.step());
    return step.attempt() == news.attempt() && step.status().isInFlight();
  }

  private void takeUp() {
    for (int number : board.inFlight()) {
      if (graph.asksPeople(number)) {
        continue;
      }
      StepState step = board.step(number);
      decisions.add(new RunDecision.Adopt(number, step.attempt()));
      if (step.ending() != null) {
        decisions.add(new RunDecision.Cancel(number, step.attempt()));
      }
    }
  }

  /** Ends an attempt; a question to people ends at once. */
  private void end(RunDecision.Cancel cancel, Instant now) {
    if (graph.asksPeople(cancel.step())) {
      ended(cancel.step(), null, null, now, now);
    } else {
      decisions.add(cancel);
    }
  }

  // ---- attempts ------------------------------------------------------------------------------

  private void hear(RunEvent.OfAttempt news, Instant now) {
    int number = news.step();
    StepState step = board.step(number);
    switch (news) {
      case RunEvent.Waits waits -> {
        if (step.status() == StepStatus.WAITING && step.ending() == null) {
          board.put(number, step.waiting(waits.reason()));
        }
      }
      case RunEvent.Started started -> {
        if (step.status() == StepStatus.WAITING) {
          board.move(number, step.running(started.at()));
        }
      }
      case RunEvent.Unknown ignored -> {
        if (step.ending() == null) {
          decisions.add(new RunDecision.Launch(number, step.attempt()));
        } else {
          ended(number, null, "it was ended before it started", now, now);
        }
      }
      case RunEvent.CacheMissed missed ->
          board.put(number, step.keyed(missed.key()).waiting(missed.reason()));
      case RunEvent.CacheHit hit ->
          board.move(
              number, step.keyed(hit.key()).cached(hit.from(), hit.outputs(), hit.reason(), now));
      case RunEvent.Refused refused ->
          board.move(
              number,
              step.over(
                  step.ending() == EarlyEnd.STOP ? StepStatus.STOPPED : StepStatus.FAILED,
                  refused.reason(),
                  now));
      case RunEvent.Ended over -> {
        if (!board.isCollecting(number)) {
          ended(number, over.exitCode(), over.reason(), over.at(), now);
        }
      }
      case RunEvent.Collected collected ->
          board.move(number, step.succeeded(collected.outputs(), now));
      case RunEvent.NotCollected failed ->
          failed(number, step, RetryPolicy.Cause.FAILED, failed.reason(), now);
    }
  }

  private void ended(
      int number, @Nullable Integer exitCode, @Nullable String reason, Instant at, Instant now) {
    StepState step = board.step(number).exited(exitCode, at);
    if (step.ending() == EarlyEnd.STOP) {
      board.move(number, step.over(StepStatus.STOPPED, "the run was stopped", at));
    } else if (step.ending() == EarlyEnd.TIMEOUT) {
      failed(number, step, RetryPolicy.Cause.FAILED, step.reason(), now);
    } else if (exitCode == null) {
      String why = Objects.requireNonNullElse(reason, "its exit code is not known");
      failed(number, step, RetryPolicy.Cause.LOST, why, now);
    } else if (exitCode != 0) {
      String why = "it ended with exit code " + exitCode + (reason == null ? "" : ": " + reason);
      failed(number, step, RetryPolicy.Cause.FAILED, why, now);
    } else {
      board.collect(number);
      board.put(number, step);
      decisions.add(new RunDecision.Collect(number, step.attempt()));
    }
  }

  private void failed(
      int number, StepState step, RetryPolicy.Cause cause, @Nullable String reason, Instant now) {
    RetryPolicy policy = graph.step(number).retry();
    int made = step.attempt() - step.base();
    boolean stopping = state.status() == RunStatus.STOPPING && number < graph.ordinary();
    if (stopping || !policy.allows(made, cause)) {
      board.move(number, step.over(StepStatus.FAILED, reason, now));
      return;
    }
    Instant start = now.plus(policy.pauseAfter(made));
    String words =
        "attempt %d failed: %s; the next starts at %s".formatted(step.attempt(), reason, start);
    board.move(number, step.again(words, start));
  }

  // ---- going on ------------------------------------------------------------------------------

  private void advance(Instant now) {
    if (state.status().isOver()) {
      return;
    }
    if (state.status() == RunStatus.ACCEPTED) {
      state = state.with(RunStatus.RUNNING);
    }
    if (state.startedAt() == null) {
      state = new RunState(state.status(), now, null, null);
    }
    Instant wake = limitTimes(now);
    for (Integer number; (number = board.pollLook()) != null; ) {
      StepState step = board.step(number);
      if (step.status() == StepStatus.BLOCKED
          && graph.needs(number).stream().noneMatch(board::isOpen)) {
        decideStart(number, step, now);
      }
    }
    Instant start = launch(now);
    if (board.isOver()) {
      exit(now);
    }
    Instant next = StepBoard.earliest(wake, start);
    if (next != null) {
      decisions.add(new RunDecision.WakeAt(next));
    }
  }

  /** Decides over a step whose tasks before it are over. */
  private void decideStart(int number, StepState step, Instant now) {
    String missing = missing(number);
    if (missing != null) {
      board.move(number, step.over(StepStatus.OMITTED, missing, now));
      return;
    }
    Condition when = graph.step(number).when();
    try {
      ConditionCheck.Result result = when == null ? null : ConditionCheck.of(when, outputs);
      if (result == null || result.holds()) {
        board.move(number, step.ready());
      } else {
        String words = "when is false: " + result.words();
        board.move(number, step.over(StepStatus.SKIPPED, words, now));
      }
    } catch (ProblemException e) {
      board.move(number, step.over(StepStatus.FAILED, e.problem().detail(), now));
    }
  }

  /** A sentence on what a step lacks of those before it; null when it lacks nothing. */
  private @Nullable String missing(int number) {
    for (String task : graph.needs(number)) {
      for (int before : graph.ofTask(task)) {
        StepStatus status = board.step(before).status();
        if (status == StepStatus.FAILED
            || status == StepStatus.STOPPED
            || status == StepStatus.OMITTED) {
          return "%s did not succeed: it is %s".formatted(graph.step(before).name(), status);
        }
      }
    }
    for (String task : graph.uses(number)) {
      if (!outputs.has(task)) {
        return "it uses outputs of %s, which was skipped".formatted(task);
      }
    }
    return null;
  }

  /**
   * Ends attempts whose time is over.
   *
   * @return when the next one is; null for never
   */
  private @Nullable Instant limitTimes(Instant now) {
    Instant next = null;
    for (int number : board.inFlight()) {
      Duration timeout = graph.step(number).timeout();
      StepState step = board.step(number);
      Instant started = step.startedAt();
      if (timeout == null
          || started == null
          || step.ending() != null
          || board.isCollecting(number)) {
        continue;
      }
      Instant end = started.plus(timeout);
      if (end.isAfter(now)) {
        next = StepBoard.earliest(next, end);
      } else {
        String words = timeout.toString().substring(2).toLowerCase(Locale.ROOT);
        String what =
            graph.asksPeople(number) ? "there was no answer within" : "it ran longer than";
        RunDecision.Cancel cancel =
            board.end(number, EarlyEnd.TIMEOUT, what + " its timeout of " + words);
        if (cancel != null) {
          end(cancel, now);
        }
      }
    }
    return next;
  }

  /**
   * Launches steps while there is room, and asks all questions.
   *
   * @return when the first pause before a retry is over; null when none waits for that
   */
  private @Nullable Instant launch(Instant now) {
    if (state.status() == RunStatus.PAUSED) {
      return null;
    }
    StepBoard.Startable startable = board.startable(spec.parallelism() - board.running(), now);
    for (int number : startable.steps()) {
      StepState launched = board.step(number).launched();
      board.move(number, launched);
      if (graph.step(number).work() instanceof StepWork.Approval asked) {
        ask(number, launched, asked, now);
      } else {
        decisions.add(new RunDecision.Launch(number, launched.attempt()));
      }
    }
    return startable.next();
  }

  private void ask(int number, StepState step, StepWork.Approval asked, Instant now) {
    try {
      String words = "waits for an approval: " + outputs.text(asked.message());
      board.move(number, step.running(now).waiting(words));
    } catch (ProblemException e) {
      board.move(number, step.over(StepStatus.FAILED, e.problem().detail(), now));
    }
  }

  /** All steps are over: runs the exit step, then ends the run. */
  private void exit(Instant now) {
    if (graph.hasExit()) {
      int exit = graph.ordinary();
      if (board.step(exit).status() == StepStatus.BLOCKED) {
        board.move(exit, board.step(exit).ready());
        launch(now);
      }
      if (!board.step(exit).status().isOver()) {
        return;
      }
    }
    String error = null;
    for (int i = 0; i < board.size() && error == null; i++) {
      if (board.step(i).status() == StepStatus.FAILED) {
        error = graph.step(i).name() + ": " + board.step(i).reason();
      }
    }
    RunStatus end = error == null ? RunStatus.SUCCEEDED : RunStatus.FAILED;
    boolean stopped = state.status() == RunStatus.STOPPING;
    state = new RunState(stopped ? RunStatus.STOPPED : end, state.startedAt(), now, error);
    decisions.add(new RunDecision.Finish());
  }
}
