package io.orrery.benchmarks.ingest.peer;

/** A format in which a point is written. */
public interface Form {
  /** Stands where the number of a point comes. */
  char NUMBER = '#';

  /**
   * The line of a point, with its end.
   *
   * @param index which of its batch
   * @param value a decimal fraction
   */
  String line(int index, String value);
}
