package io.orrery.router.policy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The Date that answers without one get (RFC 9110 section 6.6.1), made anew once a second. Belongs
 * to one event loop.
 */
public final class DateField {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private long second = Long.MIN_VALUE;
  private String value = "";
  private byte[] line = new byte[0];

  /**
   * Time passes.
   *
   * @param millis since the epoch
   */
  void tick(long millis) {
    long now = Math.floorDiv(millis, 1_000L);
    if (now != second) {
      second = now;
      value = FORMAT.format(Instant.ofEpochSecond(now));
      line = ("date: " + value + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** As {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
  public String value() {
    return value;
  }

  /** The field as a line of HTTP/1.1, with its end; not to be written to. */
  public byte[] line() {
    return line;
  }
}
