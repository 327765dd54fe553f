package io.orrery.benchmarks.ingest;

import java.nio.charset.StandardCharsets;

/**
 * A batch of lines that is sent again and again with other sequence numbers, which are written over
 * in place. They have ten digits from the first on, so that nothing moves.
 */
final class Lines {
  private static final long FIRST = 1_000_000_000L;
  private static final int DIGITS = 10;

  private final byte[] bytes;
  private final int[] places;
  private long next = FIRST;

  /**
   * @param trial {@code <experiment>/<trial>}
   * @param source unlike that of any other sender
   * @param batch lines in a batch
   */
  Lines(String trial, String source, int batch) {
    StringBuilder text = new StringBuilder();
    places = new int[batch];
    for (int i = 0; i < batch; i++) {
      text.append("{\"trial\":\"")
          .append(trial)
          .append("\",\"kind\":\"intermediate\",\"source\":\"")
          .append(source)
          .append("\",\"sequence\":");
      places[i] = text.length();
      text.append(FIRST)
          .append(",\"value\":0.8")
          .append(100_000 + i * 7919 % 900_000)
          .append("}\n");
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
      for (int digit = DIGITS - 1; digit >= 0; digit--) {
        bytes[place + digit] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
    }
    return bytes;
  }
}
