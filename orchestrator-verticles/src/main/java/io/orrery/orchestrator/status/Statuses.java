package io.orrery.orchestrator.status;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** News of attempts on their way to the owner of the experiment. */
public final class Statuses {
  /** Tells the owner of an experiment: {@code CHANGED.of(experiment)}. */
  public static final Address<Changed, Noted> CHANGED =
      new Address<>("statuses.changed", Changed.class, Noted.class);

  private static final Logger LOG = LoggerFactory.getLogger(Statuses.class);

  private Statuses() {}

  /**
   * Tells the owner of an experiment what has happened to an attempt. An owner that is away asks
   * the platform about everything when it comes back.
   */
  public static void tell(Bus bus, PlatformEvent event) {
    if (!bus.tellHere(CHANGED.of(event.attempt().trial().experiment()), new Changed(event))) {
      LOG.debug("dropping {}: the experiment has no owner here", event);
    }
  }

  public record Changed(PlatformEvent event) {}

  public record Noted() {}
}
