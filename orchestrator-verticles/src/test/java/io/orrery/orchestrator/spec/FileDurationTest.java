package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the forms in which a file writes durations. */
class FileDurationTest extends SpecFixture {
  @ParameterizedTest
  @CsvSource({
    "10m, 600",
    "1.5h, 5400",
    "2d, 172800",
    "90s, 90",
    "90, 90",
    "1.2, 2",
    "0.001s, 1",
    "'1 H', 3600",
    "999d, 86313600",
    "99999d, 8639913600",
    ".5m, 30",
  })
  void timesAreRoundedUpToSeconds(String text, long seconds) {
    assertThat(spec(with("Duration: 1h", "Duration: " + text)).limits().maxExperimentDuration())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "0s",
        "soon",
        "10 weeks",
        "1h30m",
        "true",
        "[1]",
        ".inf",
        ".nan",
        "1 000s"
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThat(fault(with("Duration: 1h", "Duration: " + text)).pointer())
        .isEqualTo("/maxExperimentDuration");
  }
}
