package io.orrery.orchestrator.run;

import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import io.orrery.core.run.ValueText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The outputs of the steps of a run, by the references of other steps. */
final class RunOutputs {
  private final RunGraph graph;
  private final IntFunction<StepState> states;

  RunOutputs(RunGraph graph, IntFunction<StepState> states) {
    this.graph = graph;
    this.states = states;
  }

  /** Whether a step of the task has outputs. */
  boolean has(String task) {
    return graph.ofTask(task).stream().anyMatch(number -> states.apply(number).status().isGood());
  }

  /** Whether the outputs of a task are lists. */
  boolean isList(OutputRef ref) {
    return graph.isList(ref.task());
  }

  /** The output of each step of the task that has it, in the order of the steps. */
  List<StepOutput> of(OutputRef ref) {
    List<StepOutput> found = new ArrayList<>();
    for (int number : graph.ofTask(ref.task())) {
      StepState state = states.apply(number);
      StepStatus status = state.status();
      if (status.isGood()) {
        state.outputs().stream()
            .filter(output -> output.name().equals(ref.name()))
            .forEach(found::add);
      }
    }
    return found;
  }

  /**
   * The text of values: of one step as it is, of a task with a step for each value a JSON list.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when there is none
   */
  String text(OutputRef ref) {
    List<StepOutput> found = of(ref);
    List<String> texts =
        found.stream()
            .map(output ->
                output.value() == null
                    ? "sha256:" + output.digest()
                    : String.valueOf(output.value()))
            .toList();
    if (isList(ref)) {
      return Json.write(texts);
    }
    if (texts.isEmpty()) {
      throw new Problem.Refused(new Finding("", ref + " has no value")).toException();
    }
    return texts.getFirst();
  }

  /** A text with all outputs in it. */
  String text(ValueText text) {
    StringBuilder whole = new StringBuilder();
    for (ValueText.Piece piece : text.pieces()) {
      switch (piece) {
        case ValueText.Written(String written) -> whole.append(written);
        case ValueText.Given(String given) -> whole.append(given);
        case ValueText.Output(OutputRef ref) -> whole.append(text(ref));
      }
    }
    return whole.toString();
  }
}
