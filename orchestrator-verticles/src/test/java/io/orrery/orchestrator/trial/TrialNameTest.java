package io.orrery.orchestrator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrialNameTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("abcdefgh");

  @Test
  void idsAreFiveLettersOrDigitsAndBeginWithALetter() {
    for (long n = 0; n < 10_000; n++) {
      assertThat(TrialName.of(EXPERIMENT, n).value()).matches("[a-z][a-z0-9]{4}");
    }
  }

  @Test
  void idsDoNotRepeat() {
    Set<TrialId> seen = new HashSet<>();
    for (long n = 0; n < 300_000; n++) {
      assertThat(seen.add(TrialName.of(EXPERIMENT, n))).as("sequence %d", n).isTrue();
    }
  }

  @Test
  void beyondAllFiveCharacterIdsTheyGrowInsteadOfRepeating() {
    long all = 26L * 36 * 36 * 36 * 36;
    assertThat(TrialName.of(EXPERIMENT, all + 5).value())
        .hasSize(6)
        .startsWith(TrialName.of(EXPERIMENT, 5).value());
  }

  @Test
  void anotherExperimentHasOtherIds() {
    assertThat(TrialName.of(new ExperimentId("other001"), 0))
        .isNotEqualTo(TrialName.of(EXPERIMENT, 0));
  }
}
