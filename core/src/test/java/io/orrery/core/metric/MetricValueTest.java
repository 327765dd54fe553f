package io.orrery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricValueTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0.93        | 0.93      | 0.93
          7           | 7         | 7.0
          -1e-3       | -0.001    | -0.001
          true        | 1         | 1.0
          NaN         | NaN       | "NaN"
          Infinity    | Infinity  | "Infinity"
          -Infinity   | -Infinity | "-Infinity"
          "NaN"       | NaN       | "NaN"
          "-Infinity" | -Infinity | "-Infinity"
          """)
  void whatPythonWritesAsANumberIsOne(String json, double number, String written) {
    MetricValue value = MetricValue.parse(json);

    assertThat(value).isEqualTo(MetricValue.of(number));
    assertThat(value.toJson()).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"default":0.5,"loss":3}  | 0.5
          {"default":"Infinity"}    | Infinity
          {"default":"high"}        | NaN
          {"default":{"default":1}} | NaN
          {"loss":3}                | NaN
          {}                        | NaN
          """)
  void anObjectCountsByItsDefaultAndIsKeptWhole(String json, double number) {
    assertThat(MetricValue.parse(json)).isEqualTo(new MetricValue(number, json));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[1]", "\"0.5\"", "\"nan\"", "", "{", "1 2x", "nope"})
  void anythingElseIsRefused(String json) {
    assertThatThrownBy(() -> MetricValue.parse(json)).isInstanceOf(ProblemException.class);
  }

  @Test
  void whatIsWrittenReadsAsTheSame() {
    for (String json : new String[] {"0.1", "\"NaN\"", "{\"default\":1,\"x\":[\"NaN\"]}"}) {
      MetricValue value = MetricValue.parse(json);
      assertThat(MetricValue.parse(value.toJson())).isEqualTo(value);
    }
  }

  /** C6: the one judgement of every way in. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.5",
        "7",
        "true",
        "false",
        "NaN",
        "-Infinity",
        "\"NaN\"",
        "{\"default\":true}",
        "{\"default\":\"NaN\",\"loss\":[1]}",
        "{\"default\":1e400}"
      })
  void whatCountsMayBeReportedAsAnything(String json) {
    assertThat(MetricValue.reported(json)).isEqualTo(MetricValue.parse(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"0.5\"",
        "null",
        "[1]",
        "\"nan\"",
        "{\"default\":\"0.5\"}",
        "{\"default\":null}",
        "{\"default\":[1]}",
        "{\"default\":1,\"default\":2}",
        "1 2"
      })
  void whatIsNoNumberIsRefusedWhateverItIs(String json) {
    assertThatThrownBy(() -> MetricValue.reported(json)).isInstanceOf(ProblemException.class);
  }

  @Test
  void anObjectMayNameItsNumbersItself() {
    assertThat(MetricValue.reported("{\"loss\":1}").isNamedOnly()).isTrue();
  }
}
