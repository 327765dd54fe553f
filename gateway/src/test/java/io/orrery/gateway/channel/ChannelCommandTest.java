package io.orrery.gateway.channel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelCommandTest {
  @Test
  void aPrintedMetricIsWhatStandsBetweenItsMarks() {
    assertThat(ChannelCommand.printed("[now] NNISDK_MEb'{\"value\": \"it's\"}' \n"))
        .isEqualTo("{\"value\": \"it's\"}");
    assertThat(ChannelCommand.printed("NNISDK_MEb''")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "'", "loss 0.3", "NNISDK_MEb'", "NNISDK_MEb'{}", "NNISDK_MEb'{}' done"})
  void otherOutputHasNone(String line) {
    assertThat(ChannelCommand.printed(line)).isNull();
  }

  /** Looked at once, however often the mark comes again. */
  @Test
  void aLongLineOfMarksIsNoMetric() {
    assertThat(ChannelCommand.printed("NNISDK_MEb'".repeat(380_000) + "x")).isNull();
  }
}
