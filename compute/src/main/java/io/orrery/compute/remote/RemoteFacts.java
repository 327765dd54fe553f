package io.orrery.compute.remote;

import io.orrery.compute.service.Keepers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The facts that are known of an attempt at one time.
 *
 * @param keeper what its keeper has said
 * @param canceled whether its end was asked for
 * @param startable whether there is an order to start it; there is none for one that is only ended
 * @param tried whether it may have been started in its place, by whichever server
 * @param givenUp a clause that says why its machine is waited for no longer; null while it is
 */
record RemoteFacts(
    Keeper keeper, boolean canceled, boolean startable, boolean tried, @Nullable String givenUp) {
  /**
   * The words of a keeper.
   *
   * @param startedAt when it started the command; null while it has not said so
   * @param ended how the command ended; null while it has not said so
   */
  record Keeper(@Nullable Instant startedAt, Keepers.State.@Nullable Ended ended) {
    boolean isStarted() {
      return startedAt != null;
    }

    boolean isEnded() {
      return ended != null;
    }
  }

  /** The outcome of an attempt to start it. */
  sealed interface Launch {}

  /** The attempt was started, now or before. */
  record Launched() implements Launch {}

  /**
   * The attempt has certainly not started.
   *
   * @param own whether the reason lies in the attempt and does not pass
   */
  record Refused(String why, boolean own) implements Launch {}

  /** The machine did not answer, with the reason as a clause about the machine. */
  record Unanswered(String why) implements Launch {}
}
