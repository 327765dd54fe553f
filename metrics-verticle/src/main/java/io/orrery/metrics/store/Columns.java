package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The intermediate results of an attempt as three columns of numbers, by sequence, and equal ones
 * in the order of arrival; and its last result. Points whose value has names only are left out. It
 * is carried on from where it was read to, so that who comes back pays for what is new. Too many
 * points are counted only. Belongs to one reader at a time.
 */
public final class Columns {
  private static final int FIRST = 64;

  /** Points that are held, 12 MB of them. */
  static final int MOST = 1 << 19;

  private final int attempt;
  private final int era;
  private ReadPosition place;
  private long upTo;

  private long[] sequences = new long[FIRST];
  private double[] numbers = new double[FIRST];
  private long[] times = new long[FIRST];
  private int length;
  private long total;
  private boolean sorted = true;
  private @Nullable MetricPoint result;

  /**
   * @param attempt 0 when the trial has reported nothing
   * @param era as {@link Journal.Unmoved} has it
   */
  Columns(int attempt, int era) {
    this.attempt = attempt;
    this.era = era;
    this.place = new ReadPosition(attempt, 0, 0);
  }

  /** The attempt that reported them, 0 when the trial has reported nothing. */
  public int attempt() {
    return attempt;
  }

  /** How many points have been read. */
  public long total() {
    return total;
  }

  /** Whether there were too many: none of them is here then. */
  public boolean isTooLong() {
    return total > MOST;
  }

  /** How many points there are here. */
  public int length() {
    return length;
  }

  /** The sequence number of a point. */
  public long sequence(int index) {
    return sequences[index];
  }

  /** The time of a point, milliseconds since the epoch. */
  public long time(int index) {
    return times[index];
  }

  /** The value of a point. */
  public double number(int index) {
    return numbers[index];
  }

  /** All values; those behind {@link #length} mean nothing, and none may be changed. */
  public double[] numbers() {
    return numbers;
  }

  /** The last FINAL, null when there is none. */
  public @Nullable MetricPoint result() {
    return result;
  }

  /** The first point whose sequence number is not below one. */
  public int indexOf(long sequence) {
    int low = 0;
    int high = length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sequences[middle] < sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Bytes of memory, roughly. */
  public long bytes() {
    String document = result == null ? null : result.value().document();
    return 24L * sequences.length + (document == null ? 0 : 2L * document.length());
  }

  int era() {
    return era;
  }

  ReadPosition place() {
    return place;
  }

  /** The segment before which nothing is unread. */
  long upTo() {
    return upTo;
  }

  /** Whether there is nothing to read in what is known to be there. */
  boolean haveAll(Journal.Unmoved unmoved) {
    return upTo == unmoved.before()
        && unmoved.slices().stream()
            .allMatch(slice ->
                slice.segment() < place.segment()
                    || (slice.segment() == place.segment() && slice.length() <= place.offset()));
  }

  void add(Decoder in, AttemptRef of) {
    if (in.kind() == MetricKind.FINAL) {
      result = in.present(of);
      return;
    }
    if (Double.isNaN(in.number()) && in.value().isNamedOnly()) {
      return;
    }
    total++;
    if (total > MOST) {
      letGo();
      return;
    }
    if (length == sequences.length) {
      int more = Math.min(MOST, length + (length >> 1));
      sequences = Arrays.copyOf(sequences, more);
      numbers = Arrays.copyOf(numbers, more);
      times = Arrays.copyOf(times, more);
    }
    sorted &= length == 0 || in.sequence() >= sequences[length - 1];
    sequences[length] = in.sequence();
    numbers[length] = in.number();
    times[length++] = in.time();
  }

  private void letGo() {
    if (length > 0) {
      sequences = new long[0];
      numbers = new double[0];
      times = new long[0];
      length = 0;
      sorted = true;
    }
  }

  /** Whether nothing is to be sorted, which takes time when points are many. */
  boolean inOrder() {
    return sorted;
  }

  /**
   * It has been read up to here.
   *
   * @param before the segment with which the log in memory begins
   */
  Columns readTo(ReadPosition here, long before) {
    place = here.segment() < before ? new ReadPosition(attempt, before, 0) : here;
    upTo = before;
    sort();
    return this;
  }

  /** What comes later stays behind what came before it, so this may be done again and again. */
  private void sort() {
    if (sorted) {
      return;
    }
    int[] order =
        IntStream.range(0, length)
            .boxed()
            .sorted(Comparator.comparingLong(index -> sequences[index]))
            .mapToInt(Integer::intValue)
            .toArray();
    sequences = Arrays.stream(order).mapToLong(index -> sequences[index]).toArray();
    times = Arrays.stream(order).mapToLong(index -> times[index]).toArray();
    numbers = Arrays.stream(order).mapToDouble(index -> numbers[index]).toArray();
    sorted = true;
  }
}
