package io.orrery.compute.service;

import org.jspecify.annotations.Nullable;

/**
 * The free capacity of a platform.
 *
 * @param absence why none can start there now, as a clause about it; null when it is there
 * @param free how many could start at once, 0 or more; null when that is unknown
 */
public record Room(@Nullable String absence, @Nullable Integer free) {
  /** It is there, and takes as many as it takes. */
  public static final Room UNKNOWN = new Room(null, null);

  /** None can start there. */
  public static Room absent(String why) {
    return new Room(why, null);
  }

  /** So many could start at once. */
  public static Room of(int free) {
    return new Room(null, free);
  }
}
