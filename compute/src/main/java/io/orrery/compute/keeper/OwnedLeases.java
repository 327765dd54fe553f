package io.orrery.compute.keeper;

import io.orrery.core.bus.Address;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.lease.Lease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The experiments that this server looks after, with the leases by which it does. Whoever becomes
 * the owner of one says so here, and whoever acts for it on his own asks here. Thread safe.
 */
public final class OwnedLeases {
  /** The epoch of an experiment's present owner; somebody becomes that when nobody is. */
  public static final Address<Find, Found> FIND =
      new Address<>("tenures.find", Find.class, Found.class);

  /** The same of a run, which owns its steps. */
  public static final Address<Find, Found> FIND_RUN =
      new Address<>("tenures.find-run", Find.class, Found.class);

  private final Map<ExperimentId, Lease> leases = new ConcurrentHashMap<>();
  private volatile Listener listener = Listener.NOBODY;

  /** An experiment whose owner is looked for. */
  public record Find(ExperimentId experiment) {}

  /**
   * @param epoch of its lease
   */
  public record Found(long epoch) {}

  /** Told of what begins and ends; called from any thread. */
  interface Listener {
    Listener NOBODY =
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

  /** This server looks after an experiment from now on, as long as it holds the lease. */
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

  /** The lease by which this server looks after an experiment; null when it does not. */
  @Nullable Lease of(ExperimentId experiment) {
    Lease lease = leases.get(experiment);
    return lease != null && lease.held() ? lease : null;
  }
}
