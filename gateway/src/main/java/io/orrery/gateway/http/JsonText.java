package io.orrery.gateway.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A writer of JSON directly into bytes, for responses with a hundred thousand numbers: a tree, or a
 * text that is encoded afterwards, costs several times as much as reading the numbers. Not thread
 * safe.
 */
public final class JsonText {
  /** More than a number of either kind needs. */
  private static final int LONGEST_NUMBER = 32;

  /** Of the largest long. */
  private static final int MOST_DIGITS = 19;

  /** So many digits are always an int. */
  private static final int INT_DIGITS = 9;

  private static final int DECIMALS = 9;

  /** The digits of 0 to 99, two for each: a look takes less than a division. */
  private static final byte[] PAIRS = pairs();

  /** Decimals that few metrics need all of, and how many zeros take their place. */
  private static final int MANY_DECIMALS = 10_000;

  private static final int ZEROS = 4;
  private static final double BILLION = 1e9;

  /** Below this all digits of a number with nine decimals are exact, and no other is as short. */
  private static final double MOST_SHORT = 1e6;

  /** From here on {@link Double#toString} writes no exponent. */
  private static final double LEAST_SHORT = 1e-3;

  private final WireTime time = new WireTime();
  private byte[] bytes;
  private int size;

  /**
   * @param capacity bytes that are probably needed
   */
  public JsonText(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** JSON that is written already, in UTF-8. */
  public JsonText raw(byte[] json) {
    ensure(json.length);
    System.arraycopy(json, 0, bytes, size, json.length);
    size += json.length;
    return this;
  }

  /** The same as a text. */
  public JsonText raw(String json) {
    return raw(json.getBytes(StandardCharsets.UTF_8));
  }

  /** One character of ASCII. */
  public JsonText raw(char character) {
    ensure(1);
    bytes[size++] = (byte) character;
    return this;
  }

  /** A whole number. */
  public JsonText number(long number) {
    if (number == Long.MIN_VALUE) {
      return raw(Long.toString(number));
    }
    ensure(LONGEST_NUMBER);
    if (number < 0) {
      bytes[size++] = '-';
    }
    digits(Math.abs(number));
    return this;
  }

  /**
   * A number as {@link Double#toString} writes it. JSON has no word for one that is not finite: it
   * is a text, as everywhere in the API.
   */
  public JsonText number(double number) {
    double positive = Math.abs(number);
    if (positive >= LEAST_SHORT && positive < MOST_SHORT) {
      // Most metrics have few decimals. Found so, they need no search for the shortest ones.
      long billionths = (long) Math.rint(positive * BILLION);
      if (billionths / BILLION == positive) {
        ensure(LONGEST_NUMBER);
        if (number < 0) {
          bytes[size++] = '-';
        }
        digits(billionths / 1_000_000_000);
        decimals((int) (billionths % 1_000_000_000));
        return this;
      }
    }
    return Double.isFinite(number)
        ? raw(Double.toString(number))
        : raw('"').raw(Double.toString(number)).raw('"');
  }

  /** A time, as {@link Wire#time(long)} has it, in quotes. */
  public JsonText time(long millis) {
    ensure(WireTime.LONGEST + 2);
    bytes[size++] = '"';
    size = time.write(bytes, size, millis);
    bytes[size++] = '"';
    return this;
  }

  /** What has been written; nothing may be written any more. */
  public Buffer toBuffer() {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, size));
  }

  /** The same as an array of its own. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Forgets what has been written, and begins anew where it stood. */
  public void clear() {
    size = 0;
  }

  private void digits(long number) {
    int length = 1;
    for (long power = 10; length < MOST_DIGITS && number >= power; power *= 10) {
      length++;
    }
    size += length;
    digits(number, length);
  }

  /** Writes so many digits of a number before where we are. */
  private void digits(long number, int count) {
    int at = size;
    int first = size - count;
    long rest = number;
    for (; at - first > INT_DIGITS; at -= 2) {
      two(at, (int) (rest % 100));
      rest /= 100;
    }
    int small = (int) rest;
    for (; at - first > 1; at -= 2) {
      two(at, small % 100);
      small /= 100;
    }
    if (at > first) {
      bytes[first] = (byte) ('0' + small % 10);
    }
  }

  private void two(int behind, int number) {
    bytes[behind - 2] = PAIRS[2 * number];
    bytes[behind - 1] = PAIRS[2 * number + 1];
  }

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int number = 0; number < 100; number++) {
      pairs[2 * number] = (byte) ('0' + number / 10);
      pairs[2 * number + 1] = (byte) ('0' + number % 10);
    }
    return pairs;
  }

  /** Nine decimals without the zeros in the end, but for the first. */
  private void decimals(int billionths) {
    bytes[size++] = '.';
    int first = size;
    boolean few = billionths % MANY_DECIMALS == 0;
    int count = few ? DECIMALS - ZEROS : DECIMALS;
    size += count;
    digits(few ? billionths / MANY_DECIMALS : billionths, count);
    while (size > first + 1 && bytes[size - 1] == '0') {
      size--;
    }
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length + (bytes.length >> 1)));
    }
  }
}
