package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** NNI's time spans: a number of seconds, or a number with one of the units d, h, m, s. */
final class Seconds {
  private static final long DAY = 86_400;

  /**
   * The longest span that has an effect of its own: its nanoseconds are fewer than a long holds.
   */
  static final int MOST_DAYS = 100_000;

  static final long MOST = MOST_DAYS * DAY;

  /** Numbers as Python's {@code float} reads them, which NNI hands them to. */
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*\\+?([0-9]{1,100}(?:\\.[0-9]{0,100})?(?:[eE][-+]?[0-9]{1,3})?"
              + "|\\.[0-9]{1,100}(?:[eE][-+]?[0-9]{1,3})?)\\s*([dhmsDHMS]?)\\s*");

  private Seconds() {}

  /**
   * Whole seconds, rounded up; null when the value is no span above 0. A span that a long cannot
   * hold is the largest long.
   */
  static @Nullable Long of(JsonNode value) {
    BigDecimal seconds = exact(value);
    if (seconds == null || seconds.signum() <= 0) {
      return null;
    }
    return seconds.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? Long.MAX_VALUE
        : seconds.setScale(0, RoundingMode.CEILING).longValue();
  }

  private static @Nullable BigDecimal exact(JsonNode value) {
    if (value.isNumber()) {
      return Double.isFinite(value.doubleValue()) ? value.decimalValue() : null;
    }
    if (!value.isTextual()) {
      return null;
    }
    Matcher form = FORM.matcher(value.textValue());
    if (!form.matches()) {
      return null;
    }
    return new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit(form.group(2))));
  }

  private static long unit(String letter) {
    return switch (letter.toLowerCase(Locale.ROOT)) {
      case "d" -> DAY;
      case "h" -> 3_600;
      case "m" -> 60;
      default -> 1;
    };
  }
}
