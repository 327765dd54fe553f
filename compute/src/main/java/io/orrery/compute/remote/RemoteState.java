package io.orrery.compute.remote;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of an attempt that lives on a machine. */
sealed interface RemoteState {
  /** The attempt has no place, and looks for one. */
  record Seeking() implements RemoteState {}

  /** The attempt has a place, and is to be started there. */
  record Starting() implements RemoteState {}

  /**
   * The attempt was started in its place, or may have been, and its end is waited for.
   *
   * @param forcedAt when its processes are ended from outside; null while its end is not asked for
   */
  record Following(@Nullable Instant forcedAt) implements RemoteState {}

  /**
   * The remains of the attempt are ended and removed.
   *
   * @param why a clause that says why it is over; null when its keeper ended as it should
   */
  record Clearing(@Nullable String why) implements RemoteState {}
}
