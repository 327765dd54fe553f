package io.orrery.metrics.store;

import java.util.Arrays;

/**
 * The ordinals that a sender has used, as sorted ranges: a sender that counts 0, 1, 2, … costs one
 * range however much it sends.
 */
final class PointOrdinals {
  /** First ordinal of a range and the one behind its last, alternating and ascending. */
  private long[] bounds = new long[2];

  private int ranges;

  int ranges() {
    return ranges;
  }

  /** Whether adding an ordinal would begin no range. */
  boolean touches(long ordinal) {
    int at = rangeAtOrBefore(ordinal + 1);
    return at >= 0 && ordinal <= end(at);
  }

  /** Adds an ordinal; false when it was there. */
  boolean add(long ordinal) {
    int at = rangeAtOrBefore(ordinal);
    if (at >= 0 && ordinal < end(at)) {
      return false;
    }
    boolean joinsLeft = at >= 0 && end(at) == ordinal;
    boolean joinsRight = at + 1 < ranges && start(at + 1) == ordinal + 1;
    if (joinsLeft && joinsRight) {
      bounds[2 * at + 1] = end(at + 1);
      remove(at + 1);
    } else if (joinsLeft) {
      bounds[2 * at + 1]++;
    } else if (joinsRight) {
      bounds[2 * (at + 1)]--;
    } else {
      insert(at + 1, ordinal);
    }
    return true;
  }

  void writeTo(Encoder out) {
    out.varint(ranges);
    long previous = 0;
    for (int i = 0; i < 2 * ranges; i++) {
      out.varint(bounds[i] - previous);
      previous = bounds[i];
    }
  }

  static PointOrdinals readFrom(Decoder in) {
    PointOrdinals ordinals = new PointOrdinals();
    ordinals.ranges = (int) in.varint();
    ordinals.bounds = new long[Math.max(2, 2 * ordinals.ranges)];
    long previous = 0;
    for (int i = 0; i < 2 * ordinals.ranges; i++) {
      previous += in.varint();
      ordinals.bounds[i] = previous;
    }
    return ordinals;
  }

  private long start(int range) {
    return bounds[2 * range];
  }

  private long end(int range) {
    return bounds[2 * range + 1];
  }

  /** The last range that starts at or before an ordinal, or -1. */
  private int rangeAtOrBefore(long ordinal) {
    int low = 0;
    int high = ranges - 1;
    if (ranges > 0 && start(high) <= ordinal) {
      return high; // nearly always: ordinals grow
    }
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (start(middle) <= ordinal) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  private void insert(int at, long ordinal) {
    if (2 * ranges == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    System.arraycopy(bounds, 2 * at, bounds, 2 * at + 2, 2 * (ranges - at));
    bounds[2 * at] = ordinal;
    bounds[2 * at + 1] = ordinal + 1;
    ranges++;
  }

  private void remove(int at) {
    System.arraycopy(bounds, 2 * at + 2, bounds, 2 * at, 2 * (ranges - at - 1));
    ranges--;
  }
}
