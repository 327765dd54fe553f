package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTimeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-24T23:59:59Z",
        "2024-02-29T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "2026-11-24T23:59:59.123456Z",
        "2026-11-24T23:59:59+02:00",
      })
  void itIsTheInstantThatIsMeant(String text) {
    assertThat(ApiTime.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "soon",
        "",
        "2026-11-24 23:59:59Z"
      })
  void whatIsNoTimeIsNone(String text) {
    assertThatThrownBy(() -> ApiTime.parse(text)).isInstanceOf(DateTimeParseException.class);
  }

  @Test
  void theEndOfADayIsThatOfTheNext() {
    assertThat(ApiTime.parse("2026-11-24T24:00:00Z")).isEqualTo("2026-11-25T00:00:00Z");
  }
}
