package io.orrery.gateway.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;

/**
 * A formatter of times as RFC 3339 in UTC, always with milliseconds, so that times sort as texts.
 *
 * <p>A chart has a time for each of its points, and the formatter of the library takes longer for
 * one than everything else about the point: the minute is remembered, as points are in order, and
 * the rest is arithmetic. Not thread safe, but for {@link #text}.
 */
final class WireTime {
  /** Bytes of any time. */
  static final int LONGEST = 40;

  private static final long DAY = 86_400_000;
  private static final int MINUTE = 60_000;

  /** That of the last time by itself: those of a page of trials are of few minutes. */
  private static volatile Minute last = Minute.of(0);

  private Minute minute = last;

  /**
   * A minute as text.
   *
   * @param begin in milliseconds since the epoch
   * @param text all that stands before the seconds
   */
  private record Minute(long begin, byte[] text) {
    static Minute of(long millis) {
      byte[] date =
          (LocalDate.ofEpochDay(Math.floorDiv(millis, DAY)) + "T")
              .getBytes(StandardCharsets.US_ASCII);
      int rest = (int) Math.floorMod(millis, DAY);
      byte[] text = Arrays.copyOf(date, date.length + 6);
      two(text, two(text, date.length, rest / 3_600_000, ':'), rest / MINUTE % 60, ':');
      return new Minute(millis - Math.floorMod(millis, MINUTE), text);
    }
  }

  /** One time by itself. */
  static String text(Instant instant) {
    WireTime time = new WireTime();
    byte[] text = new byte[LONGEST];
    int length = time.write(text, 0, instant.toEpochMilli());
    last = time.minute;
    return new String(text, 0, length, StandardCharsets.US_ASCII);
  }

  /**
   * Writes a time in ASCII.
   *
   * @param at where it begins; {@link #LONGEST} bytes must be free there
   * @param millis since the epoch
   * @return where it ends
   */
  int write(byte[] to, int at, long millis) {
    long rest = millis - minute.begin;
    if (rest < 0 || rest >= MINUTE) {
      minute = Minute.of(millis);
      rest = millis - minute.begin;
    }
    byte[] begun = minute.text;
    System.arraycopy(begun, 0, to, at, begun.length);
    int of = (int) rest;
    int end = two(to, at + begun.length, of / 1_000, '.');
    int fraction = of % 1_000;
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
