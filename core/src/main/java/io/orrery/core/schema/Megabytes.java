package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * NNI's sizes: a number of megabytes, or a number with one of the units tb, gb, mb, kb, b, with the
 * first letter of one, as NNI's own examples have it, or with one of Kubernetes' (Ti, Gi, Mi, Ki).
 * Upper and lower case are the same, and a kilobyte is 1,024 bytes in each.
 */
public final class Megabytes {
  private static final long MOST = 1L << 40;
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*([0-9]{1,15}(?:\\.[0-9]{0,9})?)\\s*(tb?|ti|gb?|gi|mb?|mi|kb?|ki|b|)\\s*",
          Pattern.CASE_INSENSITIVE);

  private Megabytes() {}

  /** Whole megabytes, rounded up; null when the value is no size above 0. */
  public static @Nullable Long of(JsonNode value) {
    BigDecimal exact = exact(value);
    if (exact == null || exact.signum() <= 0) {
      return null;
    }
    BigDecimal whole = exact.setScale(0, RoundingMode.CEILING);
    return whole.compareTo(BigDecimal.valueOf(MOST)) > 0 ? null : whole.longValue();
  }

  private static @Nullable BigDecimal exact(JsonNode value) {
    if (value.isNumber()) {
      return Double.isFinite(value.doubleValue()) ? value.decimalValue() : null;
    }
    Matcher form = FORM.matcher(value.isTextual() ? value.textValue() : "");
    if (!form.matches()) {
      return null;
    }
    BigDecimal number = new BigDecimal(form.group(1));
    BigDecimal kilo = BigDecimal.valueOf(1_024);
    return switch (form.group(2).toLowerCase(Locale.ROOT)) {
      case "tb", "ti", "t" -> number.multiply(kilo).multiply(kilo);
      case "gb", "gi", "g" -> number.multiply(kilo);
      case "kb", "ki", "k" -> number.divide(kilo, 9, RoundingMode.CEILING);
      case "b" -> number.divide(kilo.multiply(kilo), 12, RoundingMode.CEILING);
      default -> number;
    };
  }
}
