package io.orrery.compute.keeper;

/**
 * Limits on how much one attempt may leave on the server's disk, all of its keepers together.
 *
 * @param logs bytes of all streams
 * @param outputs bytes of all files that it leaves
 */
public record KeptLimits(long logs, long outputs) {
  /** The three full streams of one keeper and more, and two of the largest files. */
  public static final KeptLimits DEFAULT = new KeptLimits(4L << 30, 32L << 30);
}
