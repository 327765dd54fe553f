package io.orrery.compute.service;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.process.ProgramUse;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event of an attempt on its platform. */
public sealed interface PlatformEvent {
  AttemptRef attempt();

  /** The attempt waits, for this reason, which replaces the one before. */
  record Waiting(AttemptRef attempt, String reason) implements PlatformEvent {}

  /**
   * The process of the attempt runs.
   *
   * @param directory where its files are, as the platform names it
   */
  record Started(AttemptRef attempt, Instant at, String directory) implements PlatformEvent {}

  /**
   * The processes of the attempt are gone, so that its place may be taken; its last reports are
   * still being read, and {@code Ended} follows. A platform that cannot tell the two apart leaves
   * this out.
   */
  record Vacated(AttemptRef attempt) implements PlatformEvent {}

  /**
   * The attempt is over, its reports are durable, and its process tree is gone.
   *
   * @param exitCode of the trial's command; null when it is not known, because the platform lost
   *     the attempt or killed its wrapper as well
   * @param reason more about a bad end, in words for the user; null when the exit code says all
   * @param use null when it was not measured
   */
  record Ended(
      AttemptRef attempt,
      @Nullable Integer exitCode,
      Instant at,
      @Nullable String reason,
      @Nullable ProgramUse use)
      implements PlatformEvent {
    /** An end without a measurement. */
    public Ended(
        AttemptRef attempt, @Nullable Integer exitCode, Instant at, @Nullable String reason) {
      this(attempt, exitCode, at, reason, null);
    }
  }

  /** A notice about the running attempt; it changes nothing else. */
  record Noted(AttemptRef attempt, String note) implements PlatformEvent {}

  /** The platform cannot say what became of it; further events may follow. */
  record Unreachable(AttemptRef attempt, String reason) implements PlatformEvent {}
}
