package io.orrery.gateway.metric;

import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The part of a line that the next lines of its sender repeat: everything but its numbers.
 * Comparing it reads eight bytes at a time, parsing it one.
 */
final class LineTemplate {
  /** A field whose value is a number. */
  enum Numeral {
    SEQUENCE(1),
    ORDINAL(1 << 1),
    ATTEMPT(1 << 2),
    TIME(1 << 3),
    VALUE(1 << 4);

    /** Tells the fields of a line apart in one number. */
    final int bit;

    Numeral(int bit) {
      this.bit = bit;
    }
  }

  /** The result for a line that does not follow the template. */
  static final int ABSENT = -1;

  /** Bytes of a literal that are compared one by one. */
  private static final int SHORT = 12;

  private final TrialRef trial;
  private final MetricKind kind;
  private final String source;
  private final Numeral[] numbers;

  /** The texts between numbers in one array, because thousands of senders have a template each. */
  private final byte[] literals;

  private final int[] ends;

  /**
   * @param trial that the line names, as all that follow its template
   * @param bytes hold the line between two places
   * @param numbers which fields the numbers are, in their order
   * @param numbersFrom where each begins
   * @param numbersTo where each ends
   */
  LineTemplate(
      TrialRef trial,
      MetricKind kind,
      String source,
      byte[] bytes,
      int from,
      int to,
      Numeral[] numbers,
      int[] numbersFrom,
      int[] numbersTo) {
    this.trial = trial;
    this.kind = kind;
    this.source = source;
    this.numbers = numbers;
    this.ends = new int[numbers.length + 1];
    ByteArrayOutputStream all = new ByteArrayOutputStream(to - from);
    int at = from;
    for (int i = 0; i < numbers.length; i++) {
      all.write(bytes, at, numbersFrom[i] - at);
      ends[i] = all.size();
      at = numbersTo[i];
    }
    all.write(bytes, at, to - at);
    ends[numbers.length] = all.size();
    this.literals = all.toByteArray();
  }

  TrialRef trial() {
    return trial;
  }

  MetricKind kind() {
    return kind;
  }

  String source() {
    return source;
  }

  int numbers() {
    return numbers.length;
  }

  Numeral number(int index) {
    return numbers[index];
  }

  /**
   * Passes over what stands before a number, or, of the number after the last, in the end.
   *
   * @return the place behind it, or {@link #ABSENT}
   */
  int pass(int literal, byte[] bytes, int at, int end) {
    int from = literal == 0 ? 0 : ends[literal - 1];
    int length = ends[literal] - from;
    return end - at >= length && stands(bytes, at, from, length) ? at + length : ABSENT;
  }

  /** Compares short texts byte by byte, which is quicker than to set up the quick comparison. */
  private boolean stands(byte[] bytes, int at, int from, int length) {
    if (length > SHORT) {
      return Arrays.equals(bytes, at, at + length, literals, from, from + length);
    }
    for (int i = 0; i < length; i++) {
      if (bytes[at + i] != literals[from + i]) {
        return false;
      }
    }
    return true;
  }
}
