package io.orrery.tuner.host;

/**
 * What tuners may use of the machine.
 *
 * @param threads how many tuners may think at once, 1 or more
 * @param queue how many questions of one experiment may wait before more are refused as Busy
 */
public record Workers(int threads, int queue) {
  public Workers {
    if (threads < 1 || queue < 1) {
      throw new IllegalArgumentException("threads and queue must be 1 or more");
    }
  }
}
