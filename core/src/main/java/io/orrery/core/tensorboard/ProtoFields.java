package io.orrery.core.tensorboard;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The fields of a message of Protocol Buffers, one after the other; what does not interest is
 * passed over. Throws BufferUnderflowException or IllegalArgumentException when it is no message.
 */
final class ProtoFields {
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;

  private final ByteBuffer in;
  private int wire;

  ProtoFields(ByteBuffer message) {
    this.in = message.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  boolean hasMore() {
    return in.hasRemaining();
  }

  /** Goes on to the next field, whose value is to be read or skipped; its number. */
  int next() {
    long tag = readVarint();
    wire = (int) (tag & 7);
    return (int) (tag >>> 3);
  }

  void skip() {
    switch (wire) {
      case VARINT -> readVarint();
      case EIGHT_BYTES -> in.position(in.position() + Long.BYTES);
      case BYTES -> bytes();
      case FOUR_BYTES -> in.position(in.position() + Integer.BYTES);
      default -> throw new IllegalArgumentException("wire type " + wire);
    }
  }

  long varint() {
    expect(VARINT);
    return readVarint();
  }

  double doubleValue() {
    expect(EIGHT_BYTES);
    return in.getDouble();
  }

  float floatValue() {
    expect(FOUR_BYTES);
    return in.getFloat();
  }

  /** A message, a text, or numbers that stand packed. */
  ByteBuffer bytes() {
    expect(BYTES);
    long length = readVarint();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer bytes = in.slice(in.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + (int) length);
    return bytes;
  }

  String text() {
    return StandardCharsets.UTF_8.decode(bytes()).toString();
  }

  /** The value as bytes, whether it is one number or several that stand packed. */
  ByteBuffer numbers() {
    int length =
        switch (wire) {
          case EIGHT_BYTES -> Long.BYTES;
          case FOUR_BYTES -> Integer.BYTES;
          case VARINT -> varintLength();
          default -> -1;
        };
    if (length < 0) {
      return bytes();
    }
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer one = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + length);
    return one;
  }

  static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than ten bytes");
  }

  private long readVarint() {
    return varint(in);
  }

  private int varintLength() {
    ByteBuffer ahead = in.duplicate();
    varint(ahead);
    return ahead.position() - in.position();
  }

  private void expect(int wanted) {
    if (wire != wanted) {
      throw new IllegalArgumentException("wire type " + wire + " instead of " + wanted);
    }
  }
}
