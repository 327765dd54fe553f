package io.orrery.gateway.http;

import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * RFC 3339 in UTC, always with three digits of the second, so that times sort as texts.
 *
 * <p>A chart has a time for each of its points, and the formatter of the library takes longer for
 * one than everything else about the point: the day is remembered, the rest is arithmetic. Not
 * thread safe.
 */
public final class WireTime {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final long DAY = 86_400_000;

  private long day = Long.MIN_VALUE;
  private String date = "";

  /** One time by itself. */
  static String text(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /**
   * Adds a time to a text.
   *
   * @param millis since the epoch
   */
  public void append(StringBuilder text, long millis) {
    long of = Math.floorDiv(millis, DAY);
    if (of != day) {
      day = of;
      date = LocalDate.ofEpochDay(of) + "T";
    }
    int rest = (int) Math.floorMod(millis, DAY);
    text.append(date);
    two(text, rest / 3_600_000).append(':');
    two(text, rest / 60_000 % 60).append(':');
    two(text, rest / 1_000 % 60).append('.');
    int fraction = rest % 1_000;
    text.append((char) ('0' + fraction / 100));
    two(text, fraction % 100).append('Z');
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
