package io.orrery.compute.keeper;

import io.orrery.core.bus.Address;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The experiments that this server owns, with their leases. Each new owner of an experiment
 * registers it here, and platforms that act for one by themselves ask here. Thread safe.
 */
public final class OwnedLeases {
  /**
   * Returns the epoch of an experiment's present owner; a server becomes the owner when there is
   * none.
   */
  public static final Address<Find, Found> FIND =
      new Address<>("tenures.find", Find.class, Found.class);

  /** The same of a run, which owns its steps. */
  public static final Address<Find, Found> FIND_RUN =
      new Address<>("tenures.find-run", Find.class, Found.class);

  private final Map<ExperimentId, Lease> leases = new ConcurrentHashMap<>();
  private volatile Listener listener = Listener.NONE;

  /** An experiment whose owner is looked for. */
  public record Find(ExperimentId experiment) {}

  /**
   * The reply with the owner's epoch.
   *
   * @param epoch of its lease
   */
  public record Found(long epoch) {}

  /** A listener for leases that begin and end; called from any thread. */
  interface Listener {
    Listener NONE =
        new Listener() {
          @Override
          public void begun(ExperimentId experiment, Lease lease) {}

          @Override
          public void over(ExperimentId experiment, Lease lease) {}
        };

    void begun(ExperimentId experiment, Lease lease);

    void over(ExperimentId experiment, Lease lease);
  }

  void tell(Listener told) {
    listener = told;
  }

  /** Registers an experiment that this server owns from now on, as long as it holds the lease. */
  public void begin(ExperimentId experiment, Lease lease) {
    leases.put(experiment, lease);
    listener.begun(experiment, lease);
  }

  /**
   * It does so no more. One that was lost is remembered as lost: what was under way for it must
   * find that out whenever it goes on.
   */
  public void end(ExperimentId experiment, Lease lease) {
    if (lease.held()) {
      leases.remove(experiment, lease);
    }
    listener.over(experiment, lease);
  }

  /** Whether nothing is known that forbids to act for an experiment. */
  boolean mayAct(ExperimentId experiment) {
    Lease lease = leases.get(experiment);
    return lease == null || lease.held();
  }

  /** The lease by which this server owns an experiment; null when it does not. */
  @Nullable Lease of(ExperimentId experiment) {
    Lease lease = leases.get(experiment);
    return lease != null && lease.held() ? lease : null;
  }
}
