package io.orrery.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of amounts of quotas as documents have them. */
class QuotaResourceTest {
  @ParameterizedTest
  @CsvSource({
    "CPU, 8, 8000",
    "CPU, 500m, 500",
    "CPU, 0.25, 250",
    "MEMORY, 64G, 68719476736",
    "MEMORY, 1Ki, 1024",
    "STORAGE, 8388607T, 9223370937343148032",
    "GPU, 4, 4",
    "RUNS, 0, 0"
  })
  void anAmountIsRead(QuotaResource resource, String text, long amount) {
    assertThat(resource.read(text)).contains(amount);
  }

  /** Shifted to bytes it would be negative, or nothing. */
  @ParameterizedTest
  @CsvSource({
    "MEMORY, 8388608T",
    "MEMORY, 16777216T",
    "MEMORY, 999999999T",
    "MEMORY, 64",
    "CPU, much",
    "GPU, -1",
    "GPU, 1.5"
  })
  void whatIsNoAmountIsRefused(QuotaResource resource, String text) {
    assertThat(resource.read(text)).isEmpty();
  }
}
