package io.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  private static String written(double number) {
    return new JsonText(0).number(number).toBuffer().toString();
  }

  private static String written(long number) {
    return new JsonText(0).number(number).toBuffer().toString();
  }

  @Test
  void aNumberIsWrittenAsTheLibraryWritesIt() {
    SplittableRandom chance = new SplittableRandom(1);
    for (int i = 0; i < 300_000; i++) {
      double number =
          switch (i % 5) {
            case 0 -> Double.longBitsToDouble(chance.nextLong());
            case 1 -> chance.nextDouble();
            case 2 -> chance.nextInt() / Math.pow(10, chance.nextInt(12));
            case 3 -> chance.nextLong(10_000_000_000_000_000L) / 1e9;
            default -> (float) chance.nextDouble(-1, 1);
          };
      if (Double.isFinite(number)) {
        assertThat(written(number)).isEqualTo(Double.toString(number));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        1,
        -1,
        0.1,
        0.001,
        0.000999999999,
        0.000000001,
        999_999.999999999,
        1e6,
        1e7,
        123.456,
        0.30000000000000004,
        0.123456789,
        0.1234567891,
        100,
        Double.MAX_VALUE,
        Double.MIN_VALUE
      })
  void andSoAreThoseAtTheEdges(double number) {
    assertThat(written(number)).isEqualTo(Double.toString(number));
  }

  @Test
  void whatIsNotANumberIsAText() {
    assertThat(written(Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(written(Double.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
  }

  @Test
  void wholeNumbersHaveAllTheirDigits() {
    SplittableRandom chance = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      long number = chance.nextLong() >> chance.nextInt(64);
      assertThat(written(number)).isEqualTo(Long.toString(number));
    }
    for (long number : new long[] {0, 9, 10, Long.MAX_VALUE, Long.MIN_VALUE, -1, 999_999_999}) {
      assertThat(written(number)).isEqualTo(Long.toString(number));
    }
  }

  @Test
  void whatIsWrittenFollowsWhatWasWrittenBefore() {
    JsonText text = new JsonText(1).raw("{\"é\":").number(1.5).raw(',').number(-7).raw("}");

    assertThat(text.time(0).toBuffer().toString())
        .isEqualTo("{\"é\":1.5,-7}\"1970-01-01T00:00:00.000Z\"");
  }
}
