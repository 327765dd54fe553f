package io.orrery.compute.reuse;

import io.orrery.compute.service.Keepers;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A list of the tenants that this server knows: those that are present, which it was asked for, and
 * those unclaimed, which an earlier server has let in and no caller has asked for since. Apart,
 * because the classes that let tenants in, offer them or end them must find the same ones; a tenant
 * that is removed is not followed any more.
 */
final class Roster {
  private final Keepers keepers;
  private final Map<AttemptRef, Tenant> present = new ConcurrentHashMap<>();
  private final Map<AttemptRef, Tenant> unclaimed = new ConcurrentHashMap<>();

  Roster(Keepers keepers) {
    this.keepers = keepers;
  }

  // ---- present -------------------------------------------------------------------------------

  /** One that is present; null when it is not. */
  @Nullable Tenant get(AttemptRef ref) {
    return present.get(ref);
  }

  /** Adds one, unless there is one of its name; that one, or null. */
  @Nullable Tenant add(Tenant fresh) {
    return present.putIfAbsent(fresh.ref(), fresh);
  }

  void remove(Tenant tenant) {
    present.remove(tenant.ref(), tenant);
    keepers.forget(tenant.ref());
  }

  /** Removes those of an experiment. */
  List<Tenant> remove(ExperimentId experiment) {
    return remove(present, experiment);
  }

  /** Ends the following of all tenants. */
  void unfollow() {
    present.keySet().forEach(keepers::forget);
  }

  // ---- unclaimed -----------------------------------------------------------------------------

  /** One that is unclaimed; null when it is not. */
  @Nullable Tenant unclaimed(AttemptRef ref) {
    return unclaimed.get(ref);
  }

  void addUnclaimed(Tenant earlier) {
    unclaimed.put(earlier.ref(), earlier);
  }

  /** Whether it was unclaimed until now. */
  boolean removeUnclaimed(AttemptRef ref) {
    return unclaimed.remove(ref) != null;
  }

  /** Removes those of an experiment. */
  void removeUnclaimed(ExperimentId experiment) {
    remove(unclaimed, experiment);
  }

  private List<Tenant> remove(Map<AttemptRef, Tenant> all, ExperimentId experiment) {
    List<Tenant> gone = new ArrayList<>();
    for (AttemptRef ref : List.copyOf(all.keySet())) {
      if (ref.trial().experiment().equals(experiment)) {
        // First: one that comes anew under this name is to be followed.
        keepers.forget(ref);
        Tenant one = all.remove(ref);
        if (one != null) {
          gone.add(one);
        }
      }
    }
    return gone;
  }
}
