package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads keys that NNI takes and that have no effect of their own here: each with a notice (D). */
class TakenWithANoticeTest extends SpecFixture {
  @ParameterizedTest
  @ValueSource(strings = {"8888888h", "99999999d", "1e9h", "1000000000000000000000000000000s"})
  void aTimeBeyondALifetimeCountsAsTheLongest(String text) {
    SpecReading reading = read(with("Duration: 1h", "Duration: " + text));

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.spec().limits().maxExperimentDuration()).isEqualTo(Duration.ofDays(100_000));
    assertThat(reading.notices())
        .contains(
            "maxExperimentDuration is '%s', and counts as 100000d: that is 273 years."
                .formatted(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "maxTrialNumberPerGpu: 2",
        "trialGpuNumber: 0, maxTrialNumberPerGpu: 2",
        "trialGpuNumber: 0, maxTrialNumberPerGpu: 2, gpuIndices: [0]"
      })
  void keysOfGpusHaveNoEffectWithoutGpus(String settings) {
    SpecReading reading =
        read(GOOD.replace("  platform: local", "  {platform: local, " + settings + "}"));

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices())
        .contains(
            "maxTrialNumberPerGpu has no effect: trials are given no GPUs without trialGpuNumber.");
  }
}
