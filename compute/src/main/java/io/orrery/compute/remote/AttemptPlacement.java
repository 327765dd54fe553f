package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.remote.RemoteFiles.Place;
import io.orrery.core.id.AttemptRef;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The place of one attempt: it is looked for, held, and left, and the files say the same of it as
 * the machines do. Apart, because whether an attempt has a place is decided between the thread that
 * lives it and those that take it back, end it, or let go of it, and that is all they have to agree
 * on.
 *
 * <p>What they share is guarded by this object.
 */
final class AttemptPlacement {
  private final AttemptRef ref;
  private final List<MachineChoice.Candidate> candidates;
  private final MachineChoice places;
  private final RemoteFiles files;
  private final AttemptOwnership ownership;
  private @Nullable MachineSeat seat;
  private MachineChoice.@Nullable Search search;
  private boolean closed;
  private boolean withdrawn;

  /** Known to the thread that lives it alone. */
  private boolean tried;

  /**
   * @param seat where it is already; null when it has no place
   */
  AttemptPlacement(
      AttemptRef ref,
      List<MachineChoice.Candidate> candidates,
      MachineChoice places,
      RemoteFiles files,
      AttemptOwnership ownership,
      @Nullable MachineSeat seat) {
    this.ref = ref;
    this.candidates = candidates;
    this.places = places;
    this.files = files;
    this.ownership = ownership;
    this.seat = seat;
    this.tried = seat != null;
  }

  // ---- what others want of it ----------------------------------------------------------------

  /** Something may have changed about a machine that it waits for. */
  synchronized void stir() {
    if (search != null) {
      search.stir();
    }
  }

  /** Whether it has to do with a machine. */
  synchronized boolean concerns(Machine machine) {
    return seat == null || seat.machine() == machine;
  }

  /** It gets no other place; it keeps the one that it has. */
  synchronized void close() {
    closed = true;
    if (search != null) {
      search.close();
    }
  }

  /** Takes it back if it has no place yet; whether it had none. */
  synchronized boolean withdraw() {
    if (seat != null) {
      return false;
    }
    withdrawn = true;
    close();
    return true;
  }

  /** Others may have its place; where it is, or was, is still known. */
  void vacate() {
    MachineSeat place = seat();
    if (place != null) {
      leave(place);
    }
  }

  private void leave(MachineSeat place) {
    if (place.machine().seats().remove(ref, place)) {
      place.machine().gpus().release(GpuUser.of(ref));
    }
  }

  // ---- for the thread that lives it ----------------------------------------------------------

  /**
   * Looks for its place, where it has none.
   *
   * @param look how often is looked without being told that anything changed
   * @param waits told why there is no place yet, whenever that changes
   * @return whether it has one; without one it gets none any more
   */
  boolean await(Duration look, Consumer<String> waits) throws InterruptedException, Elsewhere {
    MachineChoice.Search looking;
    synchronized (this) {
      if (seat != null || closed) {
        return seat != null;
      }
      looking = places.search(ref, candidates, waits);
      search = looking;
    }
    MachineSeat found = looking.await(look);
    synchronized (this) {
      search = null;
      if (found != null && closed) {
        leave(found);
        return false;
      }
      seat = found;
    }
    if (found == null) {
      return false;
    }
    settle(found);
    return true;
  }

  /** Sits there from now on, unless the owner before has just placed it elsewhere. */
  private void settle(MachineSeat found) throws Elsewhere {
    ownership.mustBeOurs();
    Place wanted = new Place(found.machine().name(), found.grant(), null);
    MachineSeat given = MachineSeat.of(candidates, files.take(ref, wanted));
    if (given == null || given.equals(found)) {
      return;
    }
    leave(found);
    synchronized (this) {
      ownership.mustBeOurs();
      given.machine().seats().put(ref, given);
      seat = given;
    }
    // By him, perhaps.
    tried = true;
  }

  /** The place where it sits, also when others may have it; null when it has none. */
  synchronized @Nullable MachineSeat seat() {
    return seat;
  }

  /** Whether it was taken back before it had a place. */
  synchronized boolean isWithdrawn() {
    return withdrawn;
  }

  /** It is about to be started where it sits. */
  void starting() {
    tried = true;
  }

  /** Whether it may have been started where it sits, by whichever server. */
  boolean mayHaveStarted() {
    return tried;
  }

  /** It has certainly not started where it sits, and may go elsewhere. */
  void giveBack() throws Elsewhere {
    ownership.mustBeOurs();
    files.forget(ref);
    vacate();
    synchronized (this) {
      seat = null;
    }
    tried = false;
  }

  /** Keeps how it ended, and where. */
  void ended(End end) {
    MachineSeat last = seat();
    files.place(
        ref,
        new Place(
            last == null ? "" : last.machine().name(), last == null ? null : last.grant(), end));
  }
}
