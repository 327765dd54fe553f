package io.orrery.core.tracking;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A growing list of the points of one metric, packed as they are stored: 24 bytes each (timestamp
 * in milliseconds since the epoch, step, value; big endian). It knows the point that MLflow calls
 * the latest: the one with the largest step, then timestamp, then value. Not thread safe.
 */
public final class TrackedPoints {
  /** Bytes of a point. */
  public static final int POINT = 24;

  private static final int FIRST = 16;

  private ByteBuffer packed = ByteBuffer.allocate(FIRST * POINT);
  private Point latest = new Point(0, Long.MIN_VALUE, Double.NaN);

  /**
   * A logged value.
   *
   * @param timestamp milliseconds since the epoch
   */
  public record Point(long timestamp, long step, double value) {
    private boolean isBehind(long otherTimestamp, long otherStep, double otherValue) {
      if (step != otherStep) {
        return step < otherStep;
      }
      if (timestamp != otherTimestamp) {
        return timestamp < otherTimestamp;
      }
      return Double.isNaN(value) || value <= otherValue;
    }
  }

  /** Adds a point. */
  public void add(long timestamp, long step, double value) {
    if (packed.remaining() < POINT) {
      packed = ByteBuffer.allocate(2 * packed.capacity()).put(packed.flip());
    }
    packed.putLong(timestamp).putLong(step).putDouble(value);
    if (size() == 1 || latest.isBehind(timestamp, step, value)) {
      latest = new Point(timestamp, step, value);
    }
  }

  public int size() {
    return packed.position() / POINT;
  }

  /** The latest of at least one point. */
  public Point latest() {
    return latest;
  }

  /** All points, packed. */
  public byte[] toBytes() {
    return Arrays.copyOf(packed.array(), packed.position());
  }

  /** The number of points that are packed. */
  public static int count(byte[] packed) {
    return packed.length / POINT;
  }

  /** A packed point by its index. */
  public static Point at(byte[] packed, int index) {
    ByteBuffer bytes = ByteBuffer.wrap(packed, index * POINT, POINT);
    return new Point(bytes.getLong(), bytes.getLong(), bytes.getDouble());
  }
}
