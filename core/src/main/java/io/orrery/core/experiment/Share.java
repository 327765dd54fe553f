package io.orrery.core.experiment;

/**
 * The share of an experiment when several compete for a platform.
 *
 * @param priority 0 to 100; no experiment is served while one of a higher priority waits
 * @param weight above 0; among those of one priority, who has twice the weight is served twice as
 *     often
 */
public record Share(int priority, double weight) {
  /** Of an experiment that says nothing. */
  public static final Share EQUAL = new Share(50, 1);
}
