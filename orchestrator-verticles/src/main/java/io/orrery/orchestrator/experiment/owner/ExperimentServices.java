package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.keeper.OwnedLeases;
import io.orrery.compute.service.TrainingServiceFactory.Adoption;
import io.orrery.core.bus.Bus;
import io.orrery.core.lease.Lease;
import io.orrery.core.lease.Leases;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import org.jspecify.annotations.Nullable;

/** The services of the server that the owner of an experiment uses. */
public record ExperimentServices(
    Bus bus, Store store, Leases leases, OwnedLeases tenures, Platforms platforms, Clock clock) {

  /** The same services with a store that refuses writes once the lease is lost. */
  ExperimentServices under(Lease lease) {
    return new ExperimentServices(bus, lease.fencing(store), leases, tenures, platforms, clock);
  }

  /** Whether only servers of one machine can own the trials of an experiment. */
  boolean staysWithItsHost(ExperimentRecord record) {
    return platforms.adoption(record.spec().job()) == Adoption.ON_THE_SAME_HOST;
  }

  /** The machine that the trials of a new experiment belong to; null when any machine will do. */
  public @Nullable String host(ExperimentRecord record) {
    return leases.shared() && staysWithItsHost(record) ? leases.host() : null;
  }
}
