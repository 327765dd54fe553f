package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A tuner that looks at what trials cost, and what it is told of it. */
class TrialCostsTest extends FurtherSetsFixture {
  @Test
  void itIsMadeAnewWhenTheLimitsChangeAndAnyOtherIsNot() {
    ExperimentSpec spec = spec(1, 10L);
    ExperimentModel plain = running(spec);
    ExperimentModel aware = running(spec.withConfig("{\"cost\": \"duration\"}"));

    assertThat(decide(plain, new Occurrence.SpecChanged(more(plain))))
        .noneMatch(Decision.OpenTuner.class::isInstance);
    assertThat(decide(aware, new Occurrence.SpecChanged(aware.spec())))
        .noneMatch(Decision.OpenTuner.class::isInstance);
    assertThat(decide(aware, new Occurrence.SpecChanged(more(aware))))
        .contains(new Decision.OpenTuner(2, more(aware), 0));
  }

  private static ExperimentSpec more(ExperimentModel model) {
    return model.spec().withLimits(ExperimentLimits.of(1, 20L));
  }

  @Test
  void itIsToldHowLongATrialTook() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    TrialState trial = trial(model, attempt);
    decide(
        model,
        new Occurrence.Platform(
            new PlatformEvent.Ended(attempt, 0, NOW.plusNanos(2_500_900_000L), null)));

    assertThat(collect(model, attempt, 0.25, null))
        .contains(new Decision.Tell(1, trial.ends(0).getFirst()));
    assertThat(trial.ends(0).getFirst().duration()).isEqualTo(Duration.ofMillis(2_500));
  }

  @Test
  void ofOneOfSeveralSetsNoDurationIsTold() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    TrialState trial = trial(model, attempt);
    next(model, attempt, 1, 0.1);
    end(model, attempt, 0.5, "1");

    assertThat(trial.ends(0)).hasSize(2).allMatch(end -> end.duration() == null);
  }
}
