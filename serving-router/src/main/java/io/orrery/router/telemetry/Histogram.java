package io.orrery.router.telemetry;

import io.orrery.core.route.LatencyBuckets;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** A histogram of times in the {@link LatencyBuckets}. */
final class Histogram {
  private static final long[] BOUNDS_MICROS =
      LatencyBuckets.boundsMicros().stream().mapToLong(Long::longValue).toArray();

  /** One more than there are bounds. */
  static final int BUCKETS = BOUNDS_MICROS.length + 1;

  private final LongAdder[] counts = new LongAdder[BUCKETS];
  private final LongAdder sumMicros = new LongAdder();

  Histogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  void record(long nanos) {
    long micros = nanos / 1_000;
    int bucket = 0;
    while (bucket < BOUNDS_MICROS.length && micros > BOUNDS_MICROS[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sumMicros.add(micros);
  }

  /** The upper ends of all buckets but the last one, which has none, in microseconds. */
  static long[] boundsMicros() {
    return BOUNDS_MICROS.clone();
  }

  /**
   * Adds the count of each bucket to another one.
   *
   * @param sums one for each of {@link #BUCKETS}
   * @return how many were added in all
   */
  long addTo(long[] sums) {
    long all = 0;
    for (int i = 0; i < counts.length; i++) {
      long count = counts[i].sum();
      sums[i] += count;
      all += count;
    }
    return all;
  }

  /** Writes the series of one set of labels. */
  void expose(Exposition out, String name, String... labels) {
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      total += counts[i].sum();
      String bound = i == BOUNDS_MICROS.length ? "+Inf" : Double.toString(BOUNDS_MICROS[i] / 1e6);
      String[] with = Arrays.copyOf(labels, labels.length + 2);
      with[labels.length] = "le";
      with[labels.length + 1] = bound;
      out.sample(name + "_bucket", total, with);
    }
    out.sample(name + "_sum", sumMicros.sum() / 1e6, labels);
    out.sample(name + "_count", total, labels);
  }
}
