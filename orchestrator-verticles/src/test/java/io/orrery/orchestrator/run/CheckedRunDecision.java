package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.ProblemException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** A decision of a run, before which a command is checked: the check must say what comes. */
final class CheckedRunDecision {
  private CheckedRunDecision() {}

  static List<RunDecision> of(RunModel model, RunEvent event, Instant now) {
    if (!(event instanceof RunEvent.Command command)) {
      return model.decide(event, now);
    }
    RunState before = model.state();
    List<StepState> steps = steps(model);
    ProblemException expected =
        catchThrowableOfType(ProblemException.class, () -> model.check(command, now));
    assertThat(model.state()).as("after a check").isEqualTo(before);
    assertThat(steps(model)).as("after a check").isEqualTo(steps);
    if (expected == null) {
      return model.decide(command, now);
    }
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> model.decide(command, now));
    assertThat(refused).as("after a check that refused").isNotNull();
    assertThat(refused.problem()).isEqualTo(expected.problem());
    throw refused;
  }

  private static List<StepState> steps(RunModel model) {
    return IntStream.range(0, model.graph().steps().size()).mapToObj(model::step).toList();
  }
}
