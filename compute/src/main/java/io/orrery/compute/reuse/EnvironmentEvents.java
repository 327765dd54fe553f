package io.orrery.compute.reuse;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.State;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the events of an environment, and what they mean for its tenants. Apart, because the
 * platform below knows of environments only. Methods may block.
 */
final class EnvironmentEvents {
  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentEvents.class);

  private final Environments environments;
  private final Roster roster;
  private final TenantLifecycle lifecycle;
  private final Placement placement;
  private final Keepers keepers;
  private final PlatformListener listener;

  /**
   * @param listener is told of tenants
   */
  EnvironmentEvents(
      Environments environments,
      Roster roster,
      TenantLifecycle lifecycle,
      Placement placement,
      Keepers keepers,
      PlatformListener listener) {
    this.environments = environments;
    this.roster = roster;
    this.lifecycle = lifecycle;
    this.placement = placement;
    this.keepers = keepers;
    this.listener = listener;
  }

  /** What the platform below says of an environment. */
  void happened(PlatformEvent event) {
    Environment environment = environments.get(event.attempt());
    if (environment == null) {
      return;
    }
    switch (event) {
      case PlatformEvent.Waiting(var _, String reason) -> {
        environment.waits(reason);
        environment.tenants().stream()
            .filter(tenant -> !tenant.isStarted())
            .forEach(tenant -> listener.happened(new PlatformEvent.Waiting(tenant.ref(), reason)));
      }
      case PlatformEvent.Started(var _, Instant at, var _) -> {
        boolean back = environment.isRunning();
        environment.runs();
        if (back) {
          environment.tenants().stream()
              .filter(Tenant::isStarted)
              .forEach(tenant -> lifecycle.tellStarted(tenant, at));
        }
        environments.bringForward(environment.ref().trial().experiment());
      }
      case PlatformEvent.Noted(var _, String note) -> environment.note(note);
      case PlatformEvent.Unreachable(var _, String reason) -> {
        environment.goesAway();
        environment.tenants().stream()
            .filter(Tenant::isStarted)
            .forEach(
                tenant -> listener.happened(new PlatformEvent.Unreachable(tenant.ref(), reason)));
      }
      case PlatformEvent.Vacated _ -> {}
      case PlatformEvent.Ended ended -> {
        try {
          ended(environment, ended);
        } catch (Exception e) {
          LOG.warn("could not record the end of {}", environment.ref(), e);
        }
      }
    }
  }

  /** Ends what ran in it, as its keeper has told unless the environment's end was the cause. */
  void ended(Environment environment, PlatformEvent.Ended end) throws Exception {
    environments.close(environment);
    String words = end.reason() == null ? "exit code " + end.exitCode() : end.reason();
    String why = "its environment %s ended: %s".formatted(environment.ref().trial().trial(), words);
    for (Tenant tenant : environment.tenants()) {
      if (roster.removeUnclaimed(tenant.ref())) {
        continue;
      }
      Map<String, State> states = await(keepers.states(tenant.ref()));
      boolean ran = environment.isRunning() || !states.isEmpty();
      boolean takenAway =
          !Integer.valueOf(0).equals(end.exitCode())
              && State.end(states).filter(told -> lifecycle.isDoubtful(tenant, told)).isPresent();
      if ((takenAway || !lifecycle.finishIfKnown(tenant, states))
          && (!ran || !states.isEmpty() || !placement.movesOn(tenant))) {
        if (ran) {
          // Nothing of it may go on where it is not followed.
          await(keepers.cancel(tenant.ref()));
        }
        // What never ran has failed as its environment has.
        Integer code = ran || Integer.valueOf(0).equals(end.exitCode()) ? null : end.exitCode();
        lifecycle.finish(tenant, code, end.at(), why);
      }
    }
    environments.forget(environment);
  }
}
