package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** NNI's time spans: a number of seconds, or a number with one of the units d, h, m, s. */
final class Seconds {
  /**
   * The longest span: more than the 99999d that files of NNI's users have, and less nanoseconds
   * than a long holds.
   */
  static final int MOST_DAYS = 100_000;

  private static final long DAY = 86_400;
  private static final Pattern FORM =
      Pattern.compile("\\s*([0-9]{1,12}(?:\\.[0-9]{0,12})?|\\.[0-9]{1,12})\\s*([dhmsDHMS]?)\\s*");

  private Seconds() {}

  /** Whole seconds, rounded up; null when the value is no span above 0. */
  static @Nullable Long of(JsonNode value) {
    BigDecimal seconds = exact(value);
    if (seconds == null || seconds.signum() <= 0) {
      return null;
    }
    BigDecimal most = BigDecimal.valueOf(MOST_DAYS * DAY);
    return seconds.compareTo(most) > 0
        ? null
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
