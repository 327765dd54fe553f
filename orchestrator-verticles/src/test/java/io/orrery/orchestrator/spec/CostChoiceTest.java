package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.problem.Finding;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostChoiceTest extends SpecFixture {
  /** Two trials at once, ten trials, one hour. */
  private static final String AUTO = GOOD.replace("name: TPE", "name: Auto");

  @Test
  void durationIsTheMeasuredTimeAndAnyOtherWordAMetric() {
    Duration two = Duration.ofHours(2);

    assertThat(CostChoice.of(spec(AUTO))).isNull();
    assertThat(CostChoice.of(spec(AUTO + "cost: duration\n")))
        .isEqualTo(new TrialCost(null, 10L, two));
    assertThat(CostChoice.of(spec(AUTO + "cost: energy\n")))
        .isEqualTo(new TrialCost("energy", 10L, two));
  }

  @Test
  void theLimitsAreThoseThatCountNow() {
    ExperimentSpec spec = spec(AUTO + "cost: duration\n");
    LimitsPatch patch =
        LimitsPatch.read(
            "{\"maxTrialNumber\": 50, \"trialConcurrency\": 4}", spec.search().tuner());

    assertThat(CostChoice.of(patch.applyTo(spec)))
        .isEqualTo(new TrialCost(null, 50L, Duration.ofHours(4)));
  }

  @Test
  void anotherTunerThanAutoIsRefusedWithThePlace() {
    Finding finding = fault(GOOD + "cost: duration\n");

    assertThat(finding.pointer()).isEqualTo("/cost");
    assertThat(finding.line()).isPositive();
    assertThat(finding.message())
        .isEqualTo(
            "cost must be left out here: only the tuner Auto with one objective takes costs into"
                + " account");
  }

  @Test
  void severalObjectivesAreRefused() {
    String two = "objectives: [{metric: loss, goal: minimize}, {metric: size, goal: minimize}]\n";

    assertThat(fault(AUTO + two + "cost: size\n").pointer()).isEqualTo("/cost");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "''", "[duration]", "{metric: energy}", "true"})
  void whatIsNoNameIsRefused(String given) {
    assertThat(fault(AUTO + "cost: " + given + "\n").pointer()).isEqualTo("/cost");
  }
}
