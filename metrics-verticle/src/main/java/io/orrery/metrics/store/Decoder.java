package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what {@link Encoder} wrote; the checksum of the frame has been looked at before. */
final class Decoder {
  private final ByteBuffer in;

  private String source = "";
  private @Nullable String parameter;
  private long time;
  private long ordinal;
  private long sequence;
  private double number;
  private @Nullable String document;
  private MetricKind kind = MetricKind.INTERMEDIATE;

  Decoder(byte[] bytes, int from, int to) {
    this.in = ByteBuffer.wrap(bytes, from, to - from);
  }

  Decoder(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  boolean hasMore() {
    return in.hasRemaining();
  }

  int position() {
    return in.position();
  }

  void skip(int length) {
    in.position(in.position() + length);
  }

  /** Whether the next point says everything about itself. */
  boolean atBlock() {
    return (in.get(in.position()) & Encoder.START) != 0;
  }

  /** Reads all points that are left, of one attempt. */
  void points(AttemptRef attempt, Consumer<MetricPoint> each) {
    while (in.hasRemaining()) {
      each.accept(point(attempt));
    }
  }

  /** Reads the next point. */
  MetricPoint point(AttemptRef attempt) {
    next();
    return present(attempt);
  }

  /** Goes on to the next point, of which the methods below tell. */
  void next() {
    int flags = in.get();
    if ((flags & Encoder.CHANGED_SOURCE) != 0) {
      source = text();
    }
    if ((flags & Encoder.CHANGED_PARAMETER) != 0) {
      parameter = (flags & Encoder.HAS_PARAMETER) != 0 ? text() : null;
    }
    if ((flags & Encoder.NEXT) != 0) {
      ordinal++;
      sequence++;
    } else {
      ordinal = varint();
      sequence = zigzag(varint());
    }
    long sinceBefore = zigzag(varint());
    time = (flags & Encoder.START) != 0 ? sinceBefore : time + sinceBefore;
    number = in.getDouble();
    document = (flags & Encoder.DOCUMENT) != 0 ? text() : null;
    kind = (flags & Encoder.FINAL) != 0 ? MetricKind.FINAL : MetricKind.INTERMEDIATE;
  }

  /** The present point as a whole. */
  MetricPoint present(AttemptRef attempt) {
    return new MetricPoint(attempt, source, ordinal, kind, sequence, parameter, time, value());
  }

  MetricKind kind() {
    return kind;
  }

  long sequence() {
    return sequence;
  }

  long time() {
    return time;
  }

  double number() {
    return number;
  }

  MetricValue value() {
    return new MetricValue(number, document);
  }

  int type() {
    return in.get();
  }

  int fixed() {
    return in.getInt();
  }

  long varint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  String text() {
    int length = (int) varint();
    String text =
        new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
    skip(length);
    return text;
  }

  private static long zigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
