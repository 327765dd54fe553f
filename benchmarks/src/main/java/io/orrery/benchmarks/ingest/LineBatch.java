package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.ingest.peer.Form;
import java.nio.charset.StandardCharsets;

/**
 * A batch of lines that is sent again and again with other numbers, which are written over in
 * place. All have as many digits as the first, so that nothing moves.
 */
final class LineBatch {
  private static final long FIRST = 1_000_000_000L;

  private final byte[] bytes;
  private final int[] places;
  private final int digits;
  private long next;

  /**
   * Points as our server takes them, numbered by their sequence.
   *
   * @param trial {@code <experiment>/<trial>}
   * @param source unlike that of any other sender
   * @param batch lines in a batch
   */
  LineBatch(String trial, String source, int batch) {
    this(
        (index, value) ->
            "{\"trial\":\"%s\",\"kind\":\"intermediate\",\"source\":\"%s\",\"sequence\":%c,\"value\":%s}\n"
                .formatted(trial, source, Form.NUMBER, value),
        FIRST,
        batch);
  }

  /**
   * Points of any form.
   *
   * @param first the number of the first
   * @param batch lines in a batch
   */
  LineBatch(Form form, long first, int batch) {
    StringBuilder text = new StringBuilder();
    places = new int[batch];
    digits = Long.toString(first).length();
    next = first;
    for (int i = 0; i < batch; i++) {
      String line = form.line(i, "0.8" + (100_000 + i * 7919 % 900_000));
      int place = line.indexOf(Form.NUMBER);
      places[i] = text.length() + place;
      text.append(line, 0, place).append(first).append(line, place + 1, line.length());
    }
    bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  int batch() {
    return places.length;
  }

  int length() {
    return bytes.length;
  }

  /** The next batch; the array is the same every time. */
  byte[] next() {
    for (int place : places) {
      long rest = next++;
      for (int digit = digits - 1; digit >= 0; digit--) {
        bytes[place + digit] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
    }
    return bytes;
  }
}
