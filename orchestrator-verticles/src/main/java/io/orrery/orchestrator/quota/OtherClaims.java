package io.orrery.orchestrator.quota;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Claimed;
import io.orrery.core.bus.contract.Quotas.UnitClaim;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.quota.FairShares.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The claims of other servers, and the word to them about those of this one. */
final class OtherClaims {
  private final Bus bus;
  private final Clock clock;
  private final String server;
  private final Duration forgotten;
  private final Map<String, Told> others = new HashMap<>();
  private List<UnitClaim> told = List.of();

  private record Told(List<UnitClaim> claims, Instant at) {}

  /**
   * @param server the name of this one
   * @param forgotten after which claims of a server that says nothing count no more
   */
  OtherClaims(Bus bus, Clock clock, String server, Duration forgotten) {
    this.bus = bus;
    this.clock = clock;
    this.server = server;
    this.forgotten = forgotten;
  }

  /** Listens, and calls back when claims of another server have changed. */
  void listen(Runnable changed) {
    bus.listen(
        Quotas.CLAIMED,
        claimed -> {
          if (!claimed.server().equals(server) && hear(claimed)) {
            changed.run();
          }
        });
  }

  private boolean hear(Claimed claimed) {
    Told before =
        claimed.claims().isEmpty()
            ? others.remove(claimed.server())
            : others.put(claimed.server(), new Told(claimed.claims(), clock.now()));
    return before == null ? !claimed.claims().isEmpty() : !before.claims().equals(claimed.claims());
  }

  /** Tells the others, unless they know. */
  void tell(List<UnitClaim> mine) {
    if (!mine.equals(told)) {
      told = mine;
      bus.publish(Quotas.CLAIMED, new Claimed(server, mine));
    }
  }

  /** Tells the others again that objects wait here, and forgets those that are gone. */
  void repeat() {
    if (!told.isEmpty()) {
      bus.publish(Quotas.CLAIMED, new Claimed(server, told));
    }
    others.values().removeIf(each -> each.at().plus(forgotten).isBefore(clock.now()));
  }

  boolean isEmpty() {
    return others.isEmpty();
  }

  boolean waitForServer() {
    return others.values().stream()
        .flatMap(each -> each.claims().stream())
        .anyMatch(claim -> claim.scope() == QuotaScope.SERVER);
  }

  List<Claim> all() {
    return others.values().stream()
        .flatMap(each -> each.claims().stream())
        .map(each ->
            new Claim(
                null,
                each.project(),
                each.priority(),
                each.unit(),
                each.missing(),
                each.scope(),
                each.since()))
        .toList();
  }

  /** Those that wait for what all projects share. */
  List<Claim> ofServer() {
    return all().stream().filter(claim -> claim.scope() == QuotaScope.SERVER).toList();
  }
}
