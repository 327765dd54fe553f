package io.orrery.compute.runtime.replica;

import java.time.Duration;
import java.time.Instant;

/** The pauses between looks at a program that starts: short at first, then a part of its age. */
final class Pauses {
  /** The first one. */
  static final Duration SHORTEST = Duration.ofMillis(5);

  private static final Duration LONGEST_OF_LAUNCH = Duration.ofMillis(50);

  /** What comes about is seen within this part of the time that it took. */
  private static final int PART = 32;

  private Pauses() {}

  /** The pause between two looks whether a program has begun to run. */
  static Duration ofLaunch(Instant launched, Instant now) {
    return after(launched, now, LONGEST_OF_LAUNCH);
  }

  /**
   * The pause between two probes of a program that runs and has not answered yet.
   *
   * @param longest the interval of its specification
   */
  static Duration ofProbes(Instant begun, Instant now, Duration longest) {
    return after(begun, now, longest);
  }

  private static Duration after(Instant begun, Instant now, Duration longest) {
    Duration part = Duration.between(begun, now).dividedBy(PART);
    Duration pause = part.compareTo(SHORTEST) < 0 ? SHORTEST : part;
    return pause.compareTo(longest) < 0 ? pause : longest;
  }
}
