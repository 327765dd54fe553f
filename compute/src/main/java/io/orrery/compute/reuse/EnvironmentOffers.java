package io.orrery.compute.reuse;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Offer;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Offers work to an environment that asks, and acts on its reports of what runs there. Apart,
 * because environments ask by themselves, whichever server made them.
 */
final class EnvironmentOffers {
  private final Roster roster;
  private final TenantLifecycle lifecycle;
  private final Keepers keepers;
  private final Clock clock;
  private final Background background;

  EnvironmentOffers(
      Roster roster,
      TenantLifecycle lifecycle,
      Keepers keepers,
      Clock clock,
      Background background) {
    this.roster = roster;
    this.lifecycle = lifecycle;
    this.keepers = keepers;
    this.clock = clock;
    this.background = background;
  }

  /** What one is told to run. */
  Keepers.Offers to(Environment environment) {
    return (number, running, ended) ->
        background.run(() -> take(environment, number, running, ended));
  }

  /**
   * Environments ask one question after the other, so what two of them do not name is over. One
   * does not suffice: it may have been with a server that stood still, and be older than what is
   * known from a keeper itself.
   */
  private List<Offer> take(
      Environment environment, long number, Set<String> running, Map<String, Integer> ended)
      throws Exception {
    if (!environment.isLatest(number)) {
      throw new Problem.Busy("it has asked again since", Duration.ofSeconds(1)).toException();
    }
    List<Offer> offers = new ArrayList<>();
    boolean ending = false;
    for (Tenant tenant : environment.tenants()) {
      Keepers.Launch launch = tenant.launch();
      boolean missing = tenant.isMissing(number, running.contains(tenant.key()));
      if (roster.unclaimed(tenant.ref()) != null) {
        if (missing || ended.containsKey(tenant.key())) {
          // A caller that asks for it finds in its files what became of it.
          roster.removeUnclaimed(tenant.ref());
          environment.leave(tenant, clock.now());
        }
      } else if (ended.containsKey(tenant.key())) {
        gone(tenant, "its keeper ended with exit code " + ended.get(tenant.key()));
      } else if (tenant.held() != null && running.contains(tenant.key())) {
        ending = true;
      } else if (!running.contains(tenant.key()) && launch != null) {
        offers.add(new Offer(tenant.key(), launch));
      } else if (missing && tenant.isStarted()) {
        gone(tenant, "its keeper is gone");
      }
    }
    if (ending && offers.isEmpty()) {
      throw new Problem.Busy("a keeper in it is about to end", Duration.ofSeconds(1)).toException();
    }
    return List.copyOf(offers);
  }

  /** Its keeper runs no more; if it has not told the end, that stays unknown. */
  private void gone(Tenant tenant, String how) throws Exception {
    if (!lifecycle.finishIfKnown(tenant, await(keepers.states(tenant.ref())))) {
      lifecycle.lost(tenant, how + " and has not told how the command ended");
    }
  }
}
