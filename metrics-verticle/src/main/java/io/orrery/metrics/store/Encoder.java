package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the binary form of points into a byte array that grows and is used again.
 *
 * <p>A frame of the log is a list of entries. An entry is one byte of type and then either the name
 * of a forgotten experiment, or a block: the attempt, the number of points, their length in bytes
 * (four bytes, big-endian) and the points. What repeats from one point to the next of a block is
 * left out; the first point of a block says everything, so that blocks of one attempt can be put
 * one behind the other and still be read. A point is
 *
 * <pre>
 *   flags     one byte, the constants below
 *   source    text, with CHANGED_SOURCE
 *   parameter text, with HAS_PARAMETER and CHANGED_PARAMETER
 *   ordinal   varint, not with NEXT
 *   sequence  zigzag varint, not with NEXT
 *   time      zigzag varint, difference to the point before
 *   number    eight bytes, the bits of the double: NaN and infinities are as good as any
 *   document  text, with DOCUMENT
 * </pre>
 *
 * A text is its length in bytes as a varint, and UTF-8. Varints are those of Protocol Buffers:
 * seven bits a byte, the low ones first.
 */
final class Encoder {
  static final int BLOCK = 1;
  static final int FORGET = 2;

  static final int START = 1;
  static final int FINAL = 2;
  static final int CHANGED_SOURCE = 4;
  static final int CHANGED_PARAMETER = 8;
  static final int HAS_PARAMETER = 16;
  static final int DOCUMENT = 32;

  /** Ordinal and sequence are those of the point before, and one: nearly always. */
  static final int NEXT = 64;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** Flags, three varints and the number, at their longest. */
  private static final int FIXED = 1 + 3 * 10 + 8;

  private byte[] bytes;
  private int size;

  private boolean started;
  private String source = "";
  private @Nullable String parameter;
  private long ordinal;
  private long sequence;
  private long time;

  Encoder(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** Forgets the content and leaves room at the front. */
  void reset(int reserved) {
    size = reserved;
    ensure(0);
  }

  byte[] array() {
    return bytes;
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Begins a block; {@link #endBlock} gets what this returns. */
  int beginBlock(AttemptRef attempt) {
    put(BLOCK);
    text(attempt.trial().experiment().value());
    text(attempt.trial().trial().value());
    varint(attempt.number());
    int at = size;
    fixed(0);
    fixed(0);
    startPoints();
    return at;
  }

  /** Ends a block, now that it is known how many points it has. */
  void endBlock(int at, int count) {
    INT.set(bytes, at, count);
    INT.set(bytes, at + 4, size - at - 8);
  }

  /** Where the points of a block begin. */
  static int pointsOf(int at) {
    return at + 8;
  }

  void forget(String experiment) {
    put(FORGET);
    text(experiment);
  }

  /** The next point says everything about itself. */
  void startPoints() {
    started = false;
  }

  void point(MetricPoint point) {
    boolean newSource = !started || !point.source().equals(source);
    String id = point.parameterId();
    boolean newParameter = !started || (id == null ? parameter != null : !id.equals(parameter));
    boolean next = started && point.ordinal() == ordinal + 1 && point.sequence() == sequence + 1;
    String document = point.value().document();
    ensure(FIXED);
    put(
        (started ? 0 : START)
            | (point.kind() == MetricKind.FINAL ? FINAL : 0)
            | (newSource ? CHANGED_SOURCE : 0)
            | (newParameter ? CHANGED_PARAMETER : 0)
            | (newParameter && id != null ? HAS_PARAMETER : 0)
            | (document != null ? DOCUMENT : 0)
            | (next ? NEXT : 0));
    if (newSource) {
      source = point.source();
      text(source);
    }
    if (newParameter) {
      parameter = id;
      if (id != null) {
        text(id);
      }
    }
    ordinal = point.ordinal();
    sequence = point.sequence();
    if (!next) {
      varint(ordinal);
      varint(zigzag(sequence));
    }
    varint(zigzag(started ? point.time() - time : point.time()));
    ensure(8);
    LONG.set(bytes, size, Double.doubleToRawLongBits(point.value().number()));
    size += 8;
    if (document != null) {
      text(document);
    }
    time = point.time();
    started = true;
  }

  void put(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void varint(long value) {
    ensure(10);
    // In variables of its own: the loop would load and store the fields for every byte.
    byte[] to = bytes;
    int at = size;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      to[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[at++] = (byte) rest;
    size = at;
  }

  void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    varint(utf8.length);
    ensure(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
  }

  private void fixed(int value) {
    ensure(4);
    INT.set(bytes, size, value);
    size += 4;
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  private static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }
}
