package io.orrery.compute.local;

import io.orrery.compute.local.LocalState.Reason;
import io.orrery.compute.process.LaunchClaims;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.core.process.ProgramUse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts that are known of an attempt at one time.
 *
 * @param sight what its files and processes show
 * @param tick whether the time has come to look at what no notification tells of
 * @param request whether its end was asked for
 */
record LocalFacts(Sight sight, boolean tick, Request request) {
  LocalFacts with(Sight other) {
    return new LocalFacts(other, tick, request);
  }

  /** The files and processes of an attempt, as far as they count before its end. */
  sealed interface Sight {}

  /**
   * The attempt is claimed by no wrapper.
   *
   * @param starting whether a wrapper that this server has launched lives, and may still claim it
   */
  record Unclaimed(LaunchClaims.Free claim, boolean starting) implements Sight {}

  /** A wrapper has claimed the attempt and has not written its process yet. */
  record Unsigned() implements Sight {}

  /**
   * The attempt was canceled before a wrapper claimed it.
   *
   * @param late whether a wrapper that this server has launched still lives
   */
  record Canceled(boolean late) implements Sight {}

  /** The trial has removed its directory, and with it what its wrapper wrote there. */
  record Removed() implements Sight {}

  /**
   * A wrapper has claimed the attempt.
   *
   * @param own whether this server has launched it, so that it hears of its end
   * @param process how it is
   * @param excess the limit that the attempt is found to have passed; null for none, or unchecked
   */
  record Claimed(Taken wrapper, boolean own, WrapperProcess process, @Nullable Reason excess)
      implements Sight {}

  /** The wrapper's process. */
  enum WrapperProcess {
    /** It lives. */
    ALIVE,
    /** It lives and has written the exit code. */
    ABOUT_TO_END,
    /** It is gone, and processes of its group are not. */
    LEFT_GROUP,
    /** It is gone with its group, or with the machine's last start. */
    GONE
  }

  /**
   * A request to end the attempt.
   *
   * @param why a sentence for the user; null when a user has asked
   */
  record Request(boolean wanted, @Nullable String why) {}

  /**
   * The facts when no process of an attempt is left and its reports are read.
   *
   * @param written the exit code as the wrapper wrote it; null when it did not
   * @param directory whether the attempt's directory is there
   * @param killed a sentence about processes that had to be killed; null when none had to
   * @param complaints sentences about reports that could not be read or kept
   * @param use the most that the attempt was seen to use; null when it is not measured
   */
  record Remains(
      WrapperDirectory.@Nullable State written,
      boolean directory,
      @Nullable String killed,
      List<String> complaints,
      @Nullable ProgramUse use) {
    Remains {
      complaints = List.copyOf(complaints);
    }
  }
}
