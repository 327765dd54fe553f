package io.orrery.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KNOWN =
      List.of("trialCommand", "trialConcurrency", "tuner", "seed", "local");

  @ParameterizedTest
  @CsvSource({
    "trialComand, trialCommand",
    "trialConcurency, trialConcurrency",
    "TRIAL_COMAND, trialCommand",
    "tunre, tuner",
    "see, seed",
    "locl, local",
    "seed, seed",
    "trialConcs, trialConcurrency",
    "trial_comm, trialCommand",
  })
  void aSlipFindsTheWordThatWasMeant(String word, String meant) {
    assertThat(Nearest.to(word, KNOWN)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"maxTrialNumber", "x", "''", "assessor", "sloe"})
  void whatIsFarFromEverythingFindsNothing(String word) {
    assertThat(Nearest.to(word, KNOWN)).isEmpty();
    assertThat(Nearest.hint(word, KNOWN)).isEmpty();
  }

  @Test
  void aHintIsReadyToBeAppended() {
    assertThat(Nearest.hint("tunr", KNOWN)).isEqualTo(" (did you mean 'tuner'?)");
  }

  @Test
  void nothingIsNearToNothing() {
    assertThat(Nearest.to("seed", List.of())).isEmpty();
  }
}
