package io.orrery.compute.reuse;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tenants of the {@link Environments}: what can be asked for of them, from their coming to
 * their leaving. What has become of a trial its keeper tells; where that cannot, its environment
 * does. Methods may block.
 */
final class Tenants {
  private static final Logger LOG = LoggerFactory.getLogger(Tenants.class);

  private final Environments environments;
  private final Keepers keepers;
  private final Roster roster;
  private final TenantLifecycle lifecycle;
  private final Placement placement;
  private final EnvironmentEvents events;
  private final Recovery recovery;

  Tenants(
      Environments environments,
      Terms terms,
      Keepers keepers,
      Clock clock,
      PlatformListener listener,
      Background background) {
    this.environments = environments;
    this.keepers = keepers;
    this.roster = new Roster(keepers);
    this.lifecycle =
        new TenantLifecycle(roster, environments, terms, keepers, clock, listener, background);
    EnvironmentOffers offers = new EnvironmentOffers(roster, lifecycle, keepers, clock, background);
    this.placement =
        new Placement(environments, offers, lifecycle, terms, keepers, clock, listener);
    this.events =
        new EnvironmentEvents(environments, roster, lifecycle, placement, keepers, listener);
    this.recovery =
        new Recovery(environments, roster, lifecycle, offers, placement, events, keepers, clock);
  }

  boolean knows(AttemptRef attempt) {
    return roster.get(attempt) != null;
  }

  // ---- coming --------------------------------------------------------------------------------

  void submit(Submission submission) throws Exception {
    Tenant fresh = recovery.tenant(submission.attempt());
    Tenant present = roster.add(fresh);
    if (present != null) {
      await(present.submitted());
      return;
    }
    if (!takenUp(fresh, () -> recovery.isKnown(fresh, submission))) {
      try {
        placement.moveIn(fresh, submission);
      } catch (Exception e) {
        lifecycle.forget(fresh);
        failed(fresh, e);
        throw e;
      }
    }
    fresh.submitted().complete(null);
  }

  /** Those of which nothing is known: they never started. */
  List<AttemptRef> adopt(List<Submission> submissions) throws Exception {
    List<AttemptRef> unknown = new ArrayList<>();
    for (Submission submission : submissions) {
      Tenant fresh =
          Background.patiently(Integer.MAX_VALUE, () -> recovery.tenant(submission.attempt()));
      if (roster.add(fresh) != null) {
        continue;
      }
      boolean known =
          takenUp(
              fresh,
              () ->
                  Background.patiently(
                      Integer.MAX_VALUE, () -> recovery.isKnown(fresh, submission)));
      if (!known) {
        lifecycle.forget(fresh);
        fresh.over().complete(null);
        unknown.add(fresh.ref());
      }
      fresh.submitted().complete(null);
    }
    return List.copyOf(unknown);
  }

  /** Whether one on the roster was here before; when that cannot be told, it is as it was. */
  private boolean takenUp(Tenant fresh, Callable<Boolean> isKnown) throws Exception {
    try {
      return isKnown.call();
    } catch (Exception e) {
      recovery.giveBack(fresh);
      failed(fresh, e);
      throw e;
    }
  }

  /** Fails the future of a caller that waits for it, with the reason. */
  private static void failed(Tenant fresh, Exception why) {
    fresh.submitted().completeExceptionally(why);
    fresh.over().complete(null);
  }

  /** What the platform below says of an environment. */
  void happened(PlatformEvent event) {
    events.happened(event);
  }

  // ---- leaving -------------------------------------------------------------------------------

  /** Ends one; whether it lives here. */
  boolean cancel(AttemptRef ref) throws Exception {
    Tenant tenant = roster.get(ref);
    if (tenant == null) {
      if (!environments.knows(ref.trial().experiment())) {
        return false;
      }
      Tenant fresh = recovery.tenant(ref);
      if (roster.unclaimed(ref) == null) {
        // One that has been here has ended, and that was told.
        return !await(keepers.states(ref)).isEmpty();
      }
      tenant = roster.add(fresh);
      if (tenant == null) {
        tenant = fresh;
        takenUp(fresh, () -> recovery.isKnown(fresh, null));
        fresh.submitted().complete(null);
      }
    }
    try {
      tenant.submitted().get();
    } catch (ExecutionException e) {
      LOG.debug("{} never came to run", ref, e);
      await(keepers.cancel(ref));
      return true;
    }
    tenant.cancel();
    lifecycle.finishHeld(tenant);
    await(keepers.cancel(ref));
    if (!tenant.isStarted() && await(keepers.states(ref)).isEmpty()) {
      // None of its keepers may start any more.
      lifecycle.neverStarts(tenant);
    }
    await(tenant.over());
    return true;
  }

  /** Takes one back whose environment has not come to run; whether it was taken back. */
  boolean withdraw(AttemptRef ref) throws Exception {
    Tenant tenant = roster.get(ref);
    Environment environment = tenant == null ? null : tenant.environment();
    if (tenant == null
        || environment == null
        || tenant.launch() == null
        || !environments.letGo(tenant)) {
      return false;
    }
    tenant.end();
    roster.remove(tenant);
    tenant.over().complete(null);
    environments.withdraw(environment);
    return true;
  }

  /** Ends all environments of an experiment. */
  void vacate(ExperimentId experiment) throws Exception {
    if (environments.knows(experiment)) {
      recovery.load(experiment);
      environments.vacate(experiment);
    }
    recovery.forget(experiment);
  }

  /** Releases an experiment that another server owns now: all tenants stay where they are. */
  void leave(ExperimentId experiment) {
    recovery.forget(experiment);
    roster.removeUnclaimed(experiment);
    environments.leave(experiment);
    for (Tenant gone : roster.remove(experiment)) {
      gone.submitted().complete(null);
      gone.over().complete(null);
    }
  }

  /** Forgets the tenants when the server goes: all stay where they are. */
  void forget() {
    roster.unfollow();
  }
}
