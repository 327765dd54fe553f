package io.orrery.orchestrator.status;

import io.orrery.core.bus.Address;
import io.orrery.orchestrator.platform.PlatformEvent;

/** News of attempts on their way to the owner of the experiment. */
public final class Statuses {
  /** Tells the owner of an experiment: {@code CHANGED.of(experiment)}. */
  public static final Address<Changed, Noted> CHANGED =
      new Address<>("statuses.changed", Changed.class, Noted.class);

  private Statuses() {}

  public record Changed(PlatformEvent event) {}

  public record Noted() {}
}
