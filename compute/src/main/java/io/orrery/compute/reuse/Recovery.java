package io.orrery.compute.reuse;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.State;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes up what an earlier server has left of an experiment: its environments, once, and each
 * tenant when a caller asks for it. Apart, because it remembers of which experiments that is done.
 * Methods may block.
 */
final class Recovery {
  private final Environments environments;
  private final Roster roster;
  private final TenantLifecycle lifecycle;
  private final EnvironmentOffers offers;
  private final Placement placement;
  private final EnvironmentEvents events;
  private final Keepers keepers;
  private final Clock clock;
  private final Map<ExperimentId, CompletableFuture<@Nullable Void>> loaded =
      new ConcurrentHashMap<>();

  Recovery(
      Environments environments,
      Roster roster,
      TenantLifecycle lifecycle,
      EnvironmentOffers offers,
      Placement placement,
      EnvironmentEvents events,
      Keepers keepers,
      Clock clock) {
    this.environments = environments;
    this.roster = roster;
    this.lifecycle = lifecycle;
    this.offers = offers;
    this.placement = placement;
    this.events = events;
    this.keepers = keepers;
    this.clock = clock;
  }

  /** Takes up the environments that an earlier server has made; once, for the first caller. */
  void load(ExperimentId experiment) throws Exception {
    keepers.mustAct(experiment);
    CompletableFuture<@Nullable Void> fresh = new CompletableFuture<>();
    CompletableFuture<@Nullable Void> present = loaded.putIfAbsent(experiment, fresh);
    if (present != null) {
      await(present);
      return;
    }
    try {
      List<Environments.Earlier> earlier = environments.earlier(experiment);
      for (Environments.Earlier each : earlier) {
        for (EnvironmentRegistry.Tenant tenant : each.tenants()) {
          settle(tenant.in(experiment), each.environment(), tenant.gpus());
        }
      }
      for (Environment gone : environments.adopt(earlier, offers::to)) {
        events.ended(gone, new PlatformEvent.Ended(gone.ref(), null, clock.now(), "it is gone"));
      }
      fresh.complete(null);
    } catch (Exception e) {
      loaded.remove(experiment, fresh);
      fresh.completeExceptionally(e);
      throw e;
    }
  }

  private void settle(AttemptRef ref, Environment environment, List<Integer> gpus) {
    Tenant twice = roster.unclaimed(ref);
    Environment left = twice == null ? null : twice.environment();
    if (twice != null && left != null) {
      // It was moving when the server went, and is found where it moved to.
      left.leave(twice, clock.now());
    }
    Tenant known = new Tenant(ref);
    environment.take(known, gpus);
    roster.addUnclaimed(known);
  }

  /** What has been taken up of an experiment is to be taken up again when it comes back. */
  void forget(ExperimentId experiment) {
    loaded.remove(experiment);
  }

  /** One that was here before, or a new one. */
  Tenant tenant(AttemptRef ref) throws Exception {
    load(ref.trial().experiment());
    Tenant earlier = roster.unclaimed(ref);
    return earlier == null ? new Tenant(ref) : earlier;
  }

  /**
   * Whether it has been here before; then its story goes on, or its end is told again. It stays
   * unclaimed until nothing can fail any more, so a second try finds it.
   *
   * @param submission null when it is only to end
   */
  boolean isKnown(Tenant fresh, @Nullable Submission submission) throws Exception {
    AttemptRef ref = fresh.ref();
    Map<String, State> states = await(keepers.states(ref));
    Optional<State.Ended> end = State.end(states);
    Environment environment = roster.unclaimed(ref) == null ? null : fresh.environment();
    boolean doubtful = end.isPresent() && lifecycle.isDoubtful(fresh, end.get());
    if (end.isPresent() && !doubtful) {
      roster.removeUnclaimed(ref);
      lifecycle.finish(fresh, end.get());
    } else if (environment != null) {
      Keepers.Launch launch =
          states.isEmpty() && submission != null
              ? placement.launch(submission, environment.tenancy())
              : null;
      if (!states.isEmpty() && submission != null) {
        await(keepers.restore(submission));
      }
      if (!roster.removeUnclaimed(ref)) {
        // Its environment has lost it meanwhile.
        return isKnown(fresh, submission);
      }
      if (submission != null && launch != null) {
        fresh.launch(submission, launch);
      }
      lifecycle.follow(fresh);
    } else if (!states.isEmpty()) {
      lifecycle.lost(fresh, "its environment is gone, and with it how it ended");
    } else if (await(keepers.isCanceled(ref))) {
      lifecycle.neverStarts(fresh);
    } else {
      return false;
    }
    return true;
  }

  /**
   * One that could not be taken up stays where it is, for the next caller that asks for it: as
   * another, for of this one it has been told that it failed, or will be.
   */
  void giveBack(Tenant fresh) {
    Environment environment = fresh.environment();
    if (environment != null && roster.unclaimed(fresh.ref()) != null) {
      settle(fresh.ref(), environment, fresh.gpus());
    }
    // Last: a caller meanwhile still finds the one that fails.
    roster.remove(fresh);
  }
}
