package io.orrery.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "-",
        "-1e",
        "--1"
      })
  void aTextThatBeginsLikeAFormulaIsSaidToBeText(String chosen) {
    assertThat(Csv.text(chosen)).isEqualTo("'" + chosen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "adam", "a=b", " =1", "'=1", "[1,-2]", "-1", "+.5", "-2.", "-3.5e-7"})
  void anyOtherTextAndANumberAreAsTheyWere(String chosen) {
    assertThat(Csv.text(chosen)).isEqualTo(chosen);
  }

  @Test
  void aCellThatWouldEndEarlyIsQuoted() {
    assertThat(Csv.line(List.of("a", "", "b,c", "say \"hi\"", "two\nlines", "'\r=1")))
        .isEqualTo("a,,\"b,c\",\"say \"\"hi\"\"\",\"two\nlines\",\"'\r=1\"\r\n");
  }

  @Test
  void aTextThatWasMarkedIsReadAsItWas() {
    for (String chosen : List.of("=1+2", "-x", "@a", "'=1", "'a", "-1.5", "", "plain")) {
      assertThat(Csv.chosen(Csv.text(chosen))).isEqualTo(chosen.equals("'=1") ? "=1" : chosen);
    }
  }
}
