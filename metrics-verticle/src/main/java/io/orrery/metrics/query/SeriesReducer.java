package io.orrery.metrics.query;

import io.orrery.core.metric.MetricPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A series as it is read, point by point: all of it while it is short. Of a long one the lowest and
 * the highest of equal stretches are kept, twice as long ones whenever there are too many, so that
 * its memory is bounded however long it becomes. A chart shows fewer points than there are
 * stretches, and chooses of each by the same rule ({@link Downsample}).
 */
final class SeriesReducer {
  /** A power of two, and more than a chart shows. */
  static final int MOST_STRETCHES = 1 << 16;

  /** Points with large objects are kept in fewer stretches. */
  static final long MOST_BYTES = 16L << 20;

  private static final int POINT_BYTES = 128;

  private Stretch[] stretches = new Stretch[64];
  private int count;

  /** How many points a stretch holds, and how many the last one has. */
  private long width = 1;

  private long filled;
  private long bytes;
  private long total;

  /** By sequence: the ends of the line, which are neither lowest nor highest as a rule. */
  private @Nullable MetricPoint first;

  private @Nullable MetricPoint last;

  /** The extremes of some points that follow each other. */
  private static final class Stretch {
    private MetricPoint low;
    private MetricPoint high;
    private boolean lowComesFirst = true;

    Stretch(MetricPoint only) {
      low = only;
      high = only;
    }

    void add(MetricPoint later) {
      double number = later.value().number();
      if (Double.isNaN(low.value().number())) {
        low = Double.isNaN(number) ? low : later;
        high = low;
      } else if (number < low.value().number()) {
        low = later;
        lowComesFirst = false;
      } else if (number > high.value().number()) {
        high = later;
        lowComesFirst = true;
      }
    }

    void addAll(Stretch later) {
      add(later.lowComesFirst ? later.low : later.high);
      add(later.lowComesFirst ? later.high : later.low);
    }

    long bytes() {
      return low.equals(high) ? weight(low) : weight(low) + weight(high);
    }

    void giveTo(List<MetricPoint> points) {
      points.add(lowComesFirst ? low : high);
      if (!low.equals(high)) {
        points.add(lowComesFirst ? high : low);
      }
    }

    private static long weight(MetricPoint point) {
      String document = point.value().document();
      return POINT_BYTES + (document == null ? 0 : 2L * document.length());
    }
  }

  /** Takes the next point. */
  void add(MetricPoint point) {
    total++;
    first = first == null || point.sequence() < first.sequence() ? point : first;
    last = last == null || point.sequence() >= last.sequence() ? point : last;
    if (count > 0 && filled < width) {
      Stretch open = stretches[count - 1];
      bytes -= open.bytes();
      open.add(point);
      bytes += open.bytes();
      filled++;
    } else {
      begin(point);
    }
    while (bytes > MOST_BYTES && count > 1) {
      halve();
    }
  }

  /** How many points it has. */
  long total() {
    return total;
  }

  /**
   * Points by sequence, equal ones in the order in which they came: all, or both ends and the
   * extremes of at least half of {@link #MOST_STRETCHES}; of fewer where results are objects of
   * many kilobytes.
   */
  List<MetricPoint> points() {
    List<MetricPoint> points = new ArrayList<>(2 * count + 2);
    for (int i = 0; i < count; i++) {
      stretches[i].giveTo(points);
    }
    if (width > 1) {
      addEnd(points, first);
      addEnd(points, last);
    }
    points.sort(Comparator.comparingLong(MetricPoint::sequence));
    return points;
  }

  private static void addEnd(List<MetricPoint> points, @Nullable MetricPoint end) {
    if (end != null && !points.contains(end)) {
      points.add(end);
    }
  }

  private void begin(MetricPoint point) {
    if (count == MOST_STRETCHES) {
      halve();
    }
    if (count == stretches.length) {
      stretches = Arrays.copyOf(stretches, 2 * count);
    }
    Stretch opened = new Stretch(point);
    stretches[count++] = opened;
    bytes += opened.bytes();
    filled = 1;
  }

  /** Two stretches become one. */
  private void halve() {
    bytes = 0;
    for (int i = 0; i < count; i += 2) {
      Stretch both = stretches[i];
      if (i + 1 < count) {
        both.addAll(stretches[i + 1]);
      }
      stretches[i / 2] = both;
      bytes += both.bytes();
    }
    filled = count % 2 == 0 ? width + filled : filled;
    count = (count + 1) / 2;
    width *= 2;
    Arrays.fill(stretches, count, stretches.length, null);
  }
}
