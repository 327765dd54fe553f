package io.orrery.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests numbers, times and characters as people read them (H). */
class WordsTest {
  @ParameterizedTest
  @CsvSource({
    "0.956749123456789123, 0.956749",
    "9.6E-4, 0.00096",
    "1.25E-7, 1.25e-7",
    "-0.5, -0.5",
    "0.0, 0",
    "3.0, 3",
    "123456.789, 123457",
    "1.5E20, 1.5e20",
    "9.9999999, 10"
  })
  void numbersHaveSixDigits(double number, String text) {
    assertThat(Words.number(JsonNodeFactory.instance.numberNode(number))).isEqualTo(text);
  }

  @Test
  void wholeNumbersStayWhole() {
    assertThat(Words.number(JsonNodeFactory.instance.numberNode(123_456_789_012L)))
        .isEqualTo("123456789012");
    assertThat(Words.number(JsonNodeFactory.instance.numberNode(Double.NaN))).isEqualTo("NaN");
  }

  @ParameterizedTest
  @CsvSource({"0, 0 s", "40, 0.04 s", "420, 0.4 s", "3400, 3.4 s", "3000, 3 s", "48900, 48 s"})
  void shortTimesAreNotNothing(long millis, String text) {
    assertThat(Words.duration(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @Test
  void aLocaleWithoutACharacterGetsTheNearestOfAscii() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream ascii = new PrintStream(bytes, false, StandardCharsets.US_ASCII);
    PrintStream shown = AsciiFallback.over(ascii);
    shown.println("stopping… 3 → 4 · ü");
    assertThat(bytes.toString(StandardCharsets.US_ASCII)).isEqualTo("stopping... 3 -> 4 - ?\n");
    assertThat(shown.charset()).isEqualTo(StandardCharsets.US_ASCII);
    PrintStream utf8 = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    assertThat(AsciiFallback.over(utf8)).isSameAs(utf8);
  }
}
