package io.orrery.core.time;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations such as {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h} and {@code 1d}. */
public final class DurationText {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private DurationText() {}

  /** The duration of a text; empty when it is none. */
  public static Optional<Duration> parse(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(parts.group(1));
    return Optional.of(
        switch (parts.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          default -> Duration.ofDays(number);
        });
  }
}
