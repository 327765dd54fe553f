package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import org.junit.jupiter.api.Test;

class RepeatsCheckTest extends SpecFixture {
  private static final String TWO =
      "objectives: [{metric: loss, goal: minimize}, {metric: size, goal: minimize}]\n";

  private static String auto(boolean repeats) {
    return GOOD.replace("name: TPE", "name: Auto")
        .replace("{optimize_mode: minimize}", "{repeats: " + repeats + "}");
  }

  @Test
  void repeatsWithSeveralObjectivesAreRefusedWithThePlace() {
    Finding finding = fault(auto(true) + TWO);

    assertThat(finding.pointer()).isEqualTo("/tuner/classArgs/repeats");
    assertThat(finding.line()).isPositive();
    assertThat(finding.message()).contains("must be false here");
  }

  @Test
  void repeatsWithOneObjectiveAndNoneWithSeveralAreTaken() {
    assertThat(spec(auto(true)).search().tuner().name()).isEqualTo("Auto");
    assertThat(spec(auto(false) + TWO).search().objectives().several()).isTrue();
  }
}
