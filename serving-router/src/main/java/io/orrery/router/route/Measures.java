package io.orrery.router.route;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The small notations of a table: times, sizes, percentages, rates. */
final class Measures {
  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)(ms|s|m|h)?");
  private static final Pattern BYTES = Pattern.compile("([0-9]{1,12})(KB|MB|GB)?");
  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,4}(?:\\.[0-9]{1,6})?)%?");
  private static final Pattern RATE = Pattern.compile("([0-9]{1,9})/(second|minute|hour)");

  private Measures() {}

  /** {@code 500ms}, {@code 1.5s}, {@code 5m}, {@code 1h}; a bare number is seconds. */
  static Duration duration(String text) {
    Matcher matcher = matched(DURATION, text);
    String unit = matcher.group(2);
    double nanos =
        switch (unit == null ? "s" : unit) {
          case "ms" -> 1e6;
          case "m" -> 60e9;
          case "h" -> 3600e9;
          default -> 1e9;
        };
    return Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * nanos));
  }

  /** {@code 512KB}, {@code 64MB}, {@code 2GB}, in powers of two; a bare number is bytes. */
  static long bytes(String text) {
    Matcher matcher = matched(BYTES, text);
    String unit = matcher.group(2);
    int shift =
        switch (unit == null ? "" : unit) {
          case "KB" -> 10;
          case "MB" -> 20;
          case "GB" -> 30;
          default -> 0;
        };
    return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
  }

  /** {@code 20%} or {@code 12.5%}; the sign may be left out. */
  static double percent(String text) {
    return Double.parseDouble(matched(PERCENT, text).group(1));
  }

  /** {@code 100/second}, {@code 6000/minute}, {@code 1/hour}. */
  static Limits.Rate rate(String text) {
    Matcher matcher = matched(RATE, text);
    Duration per =
        switch (matcher.group(2)) {
          case "second" -> Duration.ofSeconds(1);
          case "minute" -> Duration.ofMinutes(1);
          default -> Duration.ofHours(1);
        };
    return new Limits.Rate(Integer.parseInt(matcher.group(1)), per, new RequestKey.Client());
  }

  private static Matcher matched(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    return matcher;
  }
}
