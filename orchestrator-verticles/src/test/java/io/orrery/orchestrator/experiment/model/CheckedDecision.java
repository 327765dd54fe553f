package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.ProblemException;
import java.time.Instant;
import java.util.List;

/** A decision of a model, before which a request is checked: the check must say what comes. */
final class CheckedDecision {
  private CheckedDecision() {}

  static List<Decision> of(ExperimentModel model, Occurrence occurrence, Instant now) {
    if (!(occurrence instanceof Occurrence.Request request)) {
      return model.decide(occurrence, now);
    }
    ExperimentRecord before = model.record(now);
    boolean changed = model.hasChanges();
    ProblemException expected =
        catchThrowableOfType(ProblemException.class, () -> model.check(request, now));
    assertThat(model.record(now)).as("after a check").isEqualTo(before);
    assertThat(model.hasChanges()).as("after a check").isEqualTo(changed);
    if (expected == null) {
      return model.decide(request, now);
    }
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> model.decide(request, now));
    assertThat(refused).as("after a check that refused").isNotNull();
    assertThat(refused.problem()).isEqualTo(expected.problem());
    throw refused;
  }
}
