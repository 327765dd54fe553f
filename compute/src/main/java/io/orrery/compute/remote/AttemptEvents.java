package io.orrery.compute.remote;

import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.id.AttemptRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of what the platform has told of one attempt, so that nothing is told again that has not
 * changed, and nothing of one that another server owns. Apart from the attempt, which knows how it
 * is and need not know what of that has been said.
 *
 * <p>{@link #noted} may be called from any thread, all others from the one that lives the attempt.
 */
final class AttemptEvents {
  private final AttemptRef ref;
  private final Keepers keepers;
  private final PlatformListener listener;
  private final AttemptOwnership ownership;
  private @Nullable String saidAway;
  private boolean saidStarted;

  AttemptEvents(
      AttemptRef ref, Keepers keepers, PlatformListener listener, AttemptOwnership ownership) {
    this.ref = ref;
    this.keepers = keepers;
    this.listener = listener;
    this.ownership = ownership;
  }

  void waiting(String why) {
    tell(new PlatformEvent.Waiting(ref, why));
  }

  void noted(String note) {
    tell(new PlatformEvent.Noted(ref, note));
  }

  /**
   * It runs; told once.
   *
   * @param at null when it does not yet: then nothing is told
   */
  void started(@Nullable Instant at) {
    if (at != null && !saidStarted) {
      saidStarted = true;
      tell(new PlatformEvent.Started(ref, at, keepers.storageUrl(ref)));
    }
  }

  /**
   * Its machine is not there, for a reason that is told when it is a new one.
   *
   * @param started whether it may go on there meanwhile
   */
  void away(Machine machine, String why, boolean started) {
    if (why.equals(saidAway)) {
      return;
    }
    saidAway = why;
    String words = machine.name() + " " + why;
    tell(
        started
            ? new PlatformEvent.Unreachable(
                ref, words + "; the trial may go on there, and is waited for")
            : new PlatformEvent.Waiting(ref, words));
  }

  /**
   * Its machine is there, or there again, which takes back that it was away.
   *
   * @param startedAt null when the attempt has not started
   */
  void back(@Nullable Instant startedAt) {
    if (saidAway != null && startedAt != null) {
      tell(new PlatformEvent.Started(ref, startedAt, keepers.storageUrl(ref)));
    }
    saidAway = null;
  }

  /** Its wrapper has just been put there: what was said of the machine before counts no more. */
  void launched() {
    saidAway = null;
  }

  void vacated() {
    tell(new PlatformEvent.Vacated(ref));
  }

  /** Tells that it is over; and that it started, where that has not been told. */
  void ended(End end) {
    started(end.startedAt());
    tell(new PlatformEvent.Ended(ref, end.exitCode(), end.at(), end.reason()));
  }

  private void tell(PlatformEvent event) {
    if (ownership.isOurs()) {
      listener.happened(event);
    }
  }
}
