package io.orrery.gateway.http;

import java.nio.charset.StandardCharsets;
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
final class WireTime {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  /** Bytes of any time. */
  static final int LONGEST = 40;

  private static final long DAY = 86_400_000;

  private long day = Long.MIN_VALUE;
  private byte[] date = new byte[0];

  /** One time by itself. */
  static String text(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /**
   * Writes a time in ASCII.
   *
   * @param at where it begins; {@link #LONGEST} bytes must be free there
   * @param millis since the epoch
   * @return where it ends
   */
  int write(byte[] to, int at, long millis) {
    long of = Math.floorDiv(millis, DAY);
    if (of != day) {
      day = of;
      date = (LocalDate.ofEpochDay(of) + "T").getBytes(StandardCharsets.US_ASCII);
    }
    System.arraycopy(date, 0, to, at, date.length);
    int end = at + date.length;
    int rest = (int) Math.floorMod(millis, DAY);
    end = two(to, end, rest / 3_600_000, ':');
    end = two(to, end, rest / 60_000 % 60, ':');
    end = two(to, end, rest / 1_000 % 60, '.');
    int fraction = rest % 1_000;
    to[end] = (byte) ('0' + fraction / 100);
    return two(to, end + 1, fraction % 100, 'Z');
  }

  private static int two(byte[] to, int at, int number, char behind) {
    to[at] = (byte) ('0' + number / 10);
    to[at + 1] = (byte) ('0' + number % 10);
    to[at + 2] = (byte) behind;
    return at + 3;
  }
}
