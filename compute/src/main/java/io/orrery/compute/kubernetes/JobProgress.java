package io.orrery.compute.kubernetes;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of an attempt that is followed in a cluster.
 *
 * @param told the progress as it was told last
 * @param seen whether its job is known to have been there, so that its absence means its deletion
 * @param since since when what is waited for lasts
 * @param judgment the verdict, as far as it was drawn before the job was deleted
 */
record JobProgress(Told told, boolean seen, Since since, Judgment judgment) {
  static final JobProgress NEW =
      new JobProgress(new Waiting(null), false, new Since(null, null, null), Judgment.OPEN);

  /** The progress of an attempt as it was told last. */
  sealed interface Told {}

  /**
   * The command is not known to run.
   *
   * @param why the reason that was told; null for none
   */
  record Waiting(@Nullable String why) implements Told {}

  /** The command runs. */
  record Running() implements Told {}

  /** The command ran, and its cluster cannot be watched any more. */
  record Unreachable() implements Told {}

  /**
   * The times since which something has been so; null when it is not so.
   *
   * @param blind the cluster cannot be watched
   * @param over the job is over, or gone
   * @param hopeless no pod can begin to run without a repair by an administrator
   */
  record Since(@Nullable Instant blind, @Nullable Instant over, @Nullable Instant hopeless) {
    Since blind(boolean is, Instant now) {
      return new Since(begun(is, blind, now), over, hopeless);
    }

    Since job(boolean isOver, boolean isHopeless, Instant now) {
      return new Since(blind, begun(isOver, over, now), begun(isHopeless, hopeless, now));
    }

    private static @Nullable Instant begun(boolean is, @Nullable Instant before, Instant now) {
      return is ? Objects.requireNonNullElse(before, now) : null;
    }
  }

  boolean isStarted() {
    return !(told instanceof Waiting);
  }

  JobProgress with(Told next) {
    return new JobProgress(next, seen, since, judgment);
  }

  JobProgress with(Since next) {
    return new JobProgress(told, seen, next, judgment);
  }

  JobProgress with(Judgment next) {
    return new JobProgress(told, seen, since, next);
  }

  /** The same when its job is there, or was there. */
  JobProgress sawJob(boolean saw) {
    return new JobProgress(told, seen || saw, since, judgment);
  }
}
