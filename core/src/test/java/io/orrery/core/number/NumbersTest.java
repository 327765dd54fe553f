package io.orrery.core.number;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
  /** C6. */
  @ParameterizedTest
  @ValueSource(strings = {"3", "3.0", "3e0", "0.3e1"})
  void aWholeNumberMayBeWrittenWithAPointOrAnExponent(String json) {
    assertThat(Numbers.whole(Json.parse(json))).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3.5",
        "\"3\"",
        "true",
        "null",
        "NaN",
        "Infinity",
        "1e17",
        "1e400",
        "9223372036854775808"
      })
  void whatIsNotWholeOrNotExactIsNoWholeNumber(String json) {
    assertThat(Numbers.whole(Json.parse(json))).isNull();
  }

  @Test
  void numbersAreEqualByValueHoweverTheyAreWritten() {
    assertThat(Numbers.same(2, 2.0)).isTrue();
    assertThat(Numbers.same(0.0, -0.0)).isTrue();
    assertThat(Numbers.same(1L << 60, 0x1.0p60)).isTrue();
    assertThat(Numbers.same(BigInteger.TWO.pow(70), 0x1.0p70)).isTrue();
    assertThat(Numbers.same(new BigInteger("7"), 7L)).isTrue();
    assertThat(Numbers.same(Double.NaN, Double.NaN)).isTrue();
    assertThat(Numbers.same(9007199254740993L, 9007199254740992L)).isFalse();
    assertThat(Numbers.same(Long.MAX_VALUE, 0x1.0p63)).isFalse();
    assertThat(Numbers.same(BigInteger.TEN.pow(400), Double.POSITIVE_INFINITY)).isFalse();
  }

  @Test
  void aNumberThatIsNotFiniteIsFoundAtAnyDepth() {
    assertThat(Numbers.firstNotFinite(Map.of("a", List.of(1, Map.of("b/c", Double.NaN))), "/at"))
        .isEqualTo("/at/a/1/b~1c");
    assertThat(Numbers.firstNotFinite(List.of(BigInteger.TEN.pow(400)), "")).isEqualTo("/0");
    assertThat(Numbers.firstNotFinite(List.of(1, "NaN", true, 1e308), "")).isNull();
    assertThat(Numbers.firstNotFinite(null, "")).isNull();
  }
}
