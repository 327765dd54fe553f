package io.orrery.compute.batch;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of an attempt that is followed: the progress it has told, and what it has stopped. */
record BatchState(Progress progress, Stops stops) {
  static final BatchState NEW =
      new BatchState(new Waiting(null), new Stops(null, null, null, null));

  /** The progress of an attempt as it was told last. */
  sealed interface Progress {}

  /**
   * The command is not known to run.
   *
   * @param why the reason that was told; null for none
   */
  record Waiting(@Nullable String why) implements Progress {}

  /** The command runs. */
  record Running() implements Progress {}

  /** The command ran, and its service shows nothing any more. */
  record Unreachable() implements Progress {}

  /**
   * The jobs that were asked to end.
   *
   * @param spareSince since when jobs of its name wait while its command runs in another one
   * @param spareAt when these were stopped last
   * @param since when the end of all its jobs was wanted first
   * @param at when that was asked for last
   */
  record Stops(
      @Nullable Instant spareSince,
      @Nullable Instant spareAt,
      @Nullable Instant since,
      @Nullable Instant at) {
    /** Whether this server has asked for the end of any job. */
    boolean any() {
      return at != null || spareAt != null;
    }

    Stops sparing(@Nullable Instant since) {
      return new Stops(since, spareAt, this.since, at);
    }

    Stops spared(Instant now) {
      return new Stops(spareSince, now, since, at);
    }

    Stops stopped(Instant now) {
      return new Stops(spareSince, spareAt, Objects.requireNonNullElse(since, now), now);
    }
  }

  boolean isStarted() {
    return !(progress instanceof Waiting);
  }

  BatchState with(Progress next) {
    return new BatchState(next, stops);
  }

  BatchState with(Stops next) {
    return new BatchState(progress, next);
  }
}
