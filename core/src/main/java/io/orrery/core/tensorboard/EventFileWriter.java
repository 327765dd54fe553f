package io.orrery.core.tensorboard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Makes the bytes of an event file. Take them whenever they are as many as is handy; they follow
 * each other. Not safe for several threads.
 */
public final class EventFileWriter {
  private static final String VERSION = "brain.Event:2";

  // Tags of Protocol Buffers: the field's number times eight, and how its value is written.
  private static final int WALL_TIME = 1 << 3 | 1;
  private static final int STEP = 2 << 3;
  private static final int FILE_VERSION = 3 << 3 | 2;
  private static final int SUMMARY = 5 << 3 | 2;
  private static final int VALUE = 1 << 3 | 2;
  private static final int TAG = 1 << 3 | 2;
  private static final int SIMPLE_VALUE = 2 << 3 | 5;

  private ByteBuffer out = ByteBuffer.allocate(16 << 10);
  private ByteBuffer event = message(1 << 10);
  private ByteBuffer summary = message(1 << 10);

  /**
   * Begins with the version, as every reader expects.
   *
   * @param millis when the file begins, milliseconds since the epoch
   */
  public EventFileWriter(long millis) {
    event.clear();
    wallTime(millis);
    event.put((byte) FILE_VERSION).put((byte) VERSION.length()).put(utf8(VERSION));
    finish();
  }

  /**
   * Adds values of one step.
   *
   * @param millis when they were reported, milliseconds since the epoch
   * @param values by tag; kept in single precision, as the format has it
   */
  public void add(long millis, long step, Map<String, Double> values) {
    summary.clear();
    values.forEach(this::value);
    event.clear();
    event = room(event, summary.position() + 64);
    wallTime(millis);
    event.put((byte) STEP);
    varint(event, step);
    event.put((byte) SUMMARY);
    varint(event, summary.position());
    event.put(summary.flip());
    finish();
  }

  /** How many bytes can be taken. */
  public int size() {
    return out.position();
  }

  /** What was made since the last call. */
  public byte[] take() {
    byte[] bytes = new byte[out.flip().remaining()];
    out.get(bytes).clear();
    return bytes;
  }

  private void value(String tag, double value) {
    byte[] name = utf8(tag);
    int length = 1 + lengthOf(name.length) + name.length + 1 + Float.BYTES;
    summary = room(summary, length + 16);
    summary.put((byte) VALUE);
    varint(summary, length);
    summary.put((byte) TAG);
    varint(summary, name.length);
    summary.put(name).put((byte) SIMPLE_VALUE).putFloat((float) value);
  }

  private void wallTime(long millis) {
    event.put((byte) WALL_TIME).putDouble(millis / 1000.0);
  }

  private void finish() {
    event.flip();
    out = room(out, TfRecord.HEAD + event.remaining() + TfRecord.FOOT);
    TfRecord.put(out, event);
  }

  private static int lengthOf(long varint) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(varint)) / 7);
  }

  private static void varint(ByteBuffer to, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      to.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    to.put((byte) rest);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ByteBuffer message(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer room(ByteBuffer buffer, int more) {
    return buffer.remaining() >= more
        ? buffer
        : message(Math.max(2 * buffer.capacity(), buffer.position() + more)).put(buffer.flip());
  }
}
