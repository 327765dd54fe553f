package io.orrery.benchmarks.ingest;

import java.util.Arrays;

/** A tally of what was acknowledged while it counted, and of how long each answer took. */
final class IngestTally {
  private double[] millis = new double[1 << 16];
  private int answers;
  private long points;
  private boolean counts;
  private boolean over;

  void add(long acknowledged, long nanos) {
    if (counts) {
      points += acknowledged;
      if (answers == millis.length) {
        millis = Arrays.copyOf(millis, 2 * answers);
      }
      millis[answers++] = nanos / 1e6;
    }
  }

  /** Begins, or ends, to count. */
  void count(boolean on) {
    counts = on;
  }

  /** Forgets what it has counted. */
  void clear() {
    points = 0;
    answers = 0;
  }

  /** Points are sent, again. */
  void begin() {
    over = false;
  }

  /** Nothing more is sent. */
  void end() {
    over = true;
  }

  boolean over() {
    return over;
  }

  long points() {
    return points;
  }

  double[] millis() {
    return Arrays.copyOf(millis, answers);
  }
}
