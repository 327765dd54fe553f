package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a value is judged as at every other way in (C6, E7). */
class LineReaderTest {
  private static MetricLine read(String kind, String sequence, String value) {
    byte[] line =
        "{\"value\":%s,\"trial\":\"digits01/abcde\",\"kind\":\"%s\",\"sequence\":%s}"
            .formatted(value, kind, sequence)
            .getBytes(StandardCharsets.UTF_8);
    return LineReader.read(line, 0, line.length, 1, 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          true               | 1
          false              | 0
          NaN                | NaN
          "-Infinity"        | -Infinity
          {"default":true}   | 1
          {"default":"NaN"}  | NaN
          {"default":0.5}    | 0.5
          """)
  void whatCountsIsTaken(String value, double number) {
    assertThat(read("final", "0", value).value().number()).isEqualTo((Double) number);
    assertThat(read("intermediate", "0", value).value().number()).isEqualTo((Double) number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"0.5\"",
        "null",
        "[1]",
        "{\"default\":\"0.5\"}",
        "{\"default\":null}",
        "{\"default\":1,\"default\":2}",
        "{\"default\":1,\"a\":{\"b\":1,\"b\":2}}"
      })
  void whatDoesNotIsRefusedWithItsPlace(String value) {
    for (String kind : new String[] {"final", "intermediate"}) {
      assertThatThrownBy(() -> read(kind, "0", value)).isInstanceOf(ProblemException.class);
    }
  }

  @Test
  void anObjectMayNameItsNumbersItself() {
    assertThat(read("intermediate", "0", "{\"loss\":1}").value().isNamedOnly()).isTrue();
    assertThat(read("final", "0", "{\"loss\":1}").value().isNamedOnly()).isTrue();
  }

  @Test
  void aWholeNumberMayBeWrittenWithAPoint() {
    assertThat(read("final", "3.0", "1").sequence()).isEqualTo(3);
    assertThatThrownBy(() -> read("final", "3.5", "1")).isInstanceOf(ProblemException.class);
  }
}
