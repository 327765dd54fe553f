package io.orrery.gateway.metric;

import io.orrery.core.metric.MetricKind;
import io.orrery.core.trial.TrialRef;
import java.util.Arrays;
import java.util.List;

/**
 * What a line has in common with the next ones of its sender: everything but its numbers. To
 * compare the rest costs one look at eight bytes or more at a time, to read it anew one at each.
 *
 * @param trial that the line names, as all that follow its template
 * @param literals the bytes before each number and, in the end, behind the last, line feed included
 *     if there was one
 * @param numbers which fields the numbers are
 */
record LineTemplate(
    TrialRef trial, MetricKind kind, String source, List<byte[]> literals, List<Numeral> numbers) {

  /** A field whose value is a number. */
  enum Numeral {
    SEQUENCE,
    ORDINAL,
    ATTEMPT,
    TIME,
    VALUE
  }

  /** Whether a literal stands at a place. */
  boolean has(int literal, byte[] bytes, int at, int end) {
    byte[] wanted = literals.get(literal);
    return end - at >= wanted.length
        && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length);
  }
}
