package io.orrery.gateway.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NniVersionTest {
  @ParameterizedTest
  @CsvSource({
    "2.10, 2.10.1, true",
    "v2.10, 2.1, false",
    "2.1, 2.10, false",
    "0.6.1, 0.6, true",
    "0.6.1, 0.6.2, true",
    "0.6.1, 0.5.1, false",
    "0.6.1, v0.7, false",
    "0.5, 2.0, true",
    "1.0, 1.0.3, true",
    "1.6, 2.6, false",
  })
  void theFirstTwoNumbersMustAgreeSinceThereIsACheck(
      String manager, String keeper, boolean accepted) {
    assertThat(one(manager).accepts(one(keeper))).isEqualTo(accepted);
  }

  @Test
  void versionsAreFoundInWhatKeepersSay() {
    assertThat(
            NniVersion.in(
                "NNIManager version is v2.10, TrialKeeper version is 2.9.1, NNI version does not"
                    + " match!"))
        .isEqualTo(List.of(new NniVersion(2, 10), new NniVersion(2, 9)));
    assertThat(NniVersion.in("no version here, nor 5")).isEmpty();
  }

  private static NniVersion one(String text) {
    return NniVersion.in(text).getFirst();
  }
}
