package io.orrery.orchestrator.run;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepStatus;
import io.orrery.core.run.StepWork;
import io.orrery.core.text.Nearest;
import io.orrery.orchestrator.run.StepState.EarlyEnd;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The commands of users to a run. One that the state does not allow changes nothing. */
final class RunCommands {
  private final RunId run;
  private final RunGraph graph;
  private final StepBoard board;

  RunCommands(RunId run, RunGraph graph, StepBoard board) {
    this.run = run;
    this.graph = graph;
    this.board = board;
  }

  /**
   * Accepts a command, or refuses it; changes nothing yet.
   *
   * @param ends takes the attempts that are to end
   * @return carries the command out; gives the state of the run afterwards
   * @throws ProblemException Conflict for a command that the state does not allow, Refused or
   *     NotFound for one that names no step, Forbidden for an answer of those who may not answer
   */
  Supplier<RunState> accept(
      RunEvent.Command command, RunState state, Instant now, Consumer<RunDecision.Cancel> ends) {
    return switch (command) {
      case RunEvent.Stop() -> stop(state, now, ends);
      case RunEvent.Pause() -> pause(state);
      case RunEvent.Resume() -> resume(state);
      case RunEvent.Retry(Set<String> steps) -> retry(state, steps);
      case RunEvent.Decided answer -> answer(state, answer, now);
    };
  }

  private Supplier<RunState> stop(RunState state, Instant now, Consumer<RunDecision.Cancel> ends) {
    if (state.status().isOver()) {
      throw conflict("is over already: it is " + state.status());
    }
    return () -> stopped(state, now, ends);
  }

  /** Ends all steps. The exit step still runs; a second stop ends that as well. */
  private RunState stopped(RunState state, Instant now, Consumer<RunDecision.Cancel> ends) {
    boolean again = state.status() == RunStatus.STOPPING;
    for (int number : board.inFlight()) {
      if ((number < graph.ordinary() || again) && !board.isCollecting(number)) {
        RunDecision.Cancel cancel = board.end(number, EarlyEnd.STOP, "it is being stopped");
        if (cancel != null) {
          ends.accept(cancel);
        }
      }
    }
    for (int i = 0; i < graph.ordinary(); i++) {
      StepState step = board.step(i);
      if (step.status() == StepStatus.BLOCKED || step.status() == StepStatus.READY) {
        board.move(i, step.over(StepStatus.STOPPED, "the run was stopped before it", now));
      }
    }
    return state.with(RunStatus.STOPPING);
  }

  private Supplier<RunState> pause(RunState state) {
    return switch (state.status()) {
      case ACCEPTED, RUNNING -> () -> state.with(RunStatus.PAUSED);
      case PAUSED -> () -> state;
      case STOPPING, STOPPED, SUCCEEDED, FAILED ->
          throw conflict("cannot be paused: it is " + state.status());
    };
  }

  private Supplier<RunState> resume(RunState state) {
    return switch (state.status()) {
      case ACCEPTED, RUNNING -> () -> state;
      case PAUSED -> () -> state.with(RunStatus.RUNNING);
      case STOPPING, STOPPED, SUCCEEDED, FAILED ->
          throw conflict("cannot be resumed: it is " + state.status());
    };
  }

  /**
   * @param names of steps or tasks; empty for all that did not succeed
   */
  private Supplier<RunState> retry(RunState state, Set<String> names) {
    if (!state.status().isOver()) {
      throw conflict("is not over: it is " + state.status() + ". Stop it, or wait for its end");
    }
    Set<Integer> from = names.isEmpty() ? unsuccessful() : named(names);
    boolean exitOnly = graph.hasExit() && !board.step(graph.ordinary()).status().isGood();
    if (from.isEmpty() && !exitOnly) {
      throw conflict("has no step that failed: name the steps that are to run again");
    }
    return () -> again(state, from);
  }

  /** Runs steps again, with all that depend on them. */
  private RunState again(RunState before, Set<Integer> from) {
    Set<Integer> all = graph.downstream(from);
    if (graph.hasExit()) {
      all.add(graph.ordinary());
    }
    all.forEach(number -> board.move(number, board.step(number).reset()));
    return new RunState(RunStatus.RUNNING, before.startedAt(), null, null);
  }

  private Supplier<RunState> answer(RunState state, RunEvent.Decided answer, Instant now) {
    int number = graph.number(answer.step());
    if (number < 0 || !(graph.step(number).work() instanceof StepWork.Approval asked)) {
      throw new Problem.NotFound(
              "Run %s has no step %s that asks for an approval.".formatted(run, answer.step()))
          .toException();
    }
    StepState step = board.step(number);
    if (!step.status().isInFlight()) {
      throw conflict("waits for no answer of %s: it is %s".formatted(answer.step(), step.status()));
    }
    if (asked.by().isEmpty() ? !answer.operates() : !asked.by().contains(answer.by())) {
      throw new Problem.Forbidden(
              "%s may not answer step %s of run %s: that needs %s."
                  .formatted(
                      answer.by(),
                      answer.step(),
                      run,
                      asked.by().isEmpty()
                          ? "the run's owner, or a creator or ops of the project"
                          : String.join(" or ", asked.by())))
          .toException();
    }
    return () -> {
      answered(number, answer, now);
      return state;
    };
  }

  /** Ends the step that has waited for an approval. */
  private void answered(int number, RunEvent.Decided answer, Instant now) {
    StepState step = board.step(number);
    String words = answer.why().isEmpty() ? "" : ": " + answer.why();
    if (answer.approved()) {
      List<StepOutput> outputs =
          List.of(StepOutput.of("by", answer.by()), StepOutput.of("why", answer.why()));
      String reason = "approved by " + answer.by() + words;
      board.move(number, step.waiting(reason).succeeded(outputs, now));
    } else {
      board.move(number, step.over(StepStatus.FAILED, "refused by " + answer.by() + words, now));
    }
  }

  private Set<Integer> unsuccessful() {
    Set<Integer> found = new TreeSet<>();
    for (int i = 0; i < graph.ordinary(); i++) {
      StepStatus status = board.step(i).status();
      if (!status.isGood() && status != StepStatus.SKIPPED) {
        found.add(i);
      }
    }
    return found;
  }

  private Set<Integer> named(Set<String> names) {
    Set<Integer> found = new TreeSet<>();
    for (String name : names) {
      int number = graph.number(name);
      List<Integer> numbers = number < 0 ? graph.ofTask(name) : List.of(number);
      if (numbers.isEmpty()) {
        List<String> known = graph.steps().stream().map(StepSpec::name).toList();
        throw new Problem.Refused(
                new Finding(
                    "/steps",
                    "run %s has no step '%s'%s".formatted(run, name, Nearest.hint(name, known))))
            .toException();
      }
      found.addAll(numbers);
    }
    return found;
  }

  private ProblemException conflict(String why) {
    return new Problem.Conflict("Run " + run + " " + why + ".").toException();
  }
}
