package io.orrery.compute.keeper;

import io.orrery.compute.keeper.KeeperRegistry.Claim;
import io.orrery.compute.service.Keepers.Offers;
import io.orrery.core.id.AttemptRef;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A register of who was heard since the start: keepers that run, those who follow them, and those
 * who offer work to environments. Confined to one event loop but for what says otherwise.
 */
final class KeeperPresence {
  /**
   * A keeper's place in an attempt.
   *
   * @param keeper its name
   */
  record KeeperRef(AttemptRef attempt, String keeper) {}

  private final Executor loop;
  private final Followers followers;

  /** By attempt and by name of the keeper: who forgets an attempt must not look at all others. */
  private final Map<AttemptRef, Map<String, Claim>> seats = new HashMap<>();

  private final Map<AttemptRef, Offers> offers = new HashMap<>();

  /**
   * @param loop runs what it gets on the event loop
   */
  KeeperPresence(Executor loop, Followers followers) {
    this.loop = loop;
    this.followers = followers;
  }

  /** Does it on the event loop; from any thread. */
  void confined(Runnable step) {
    loop.execute(step);
  }

  Followers followers() {
    return followers;
  }

  /** Returns the keeper that has a place; null when none was heard there. */
  @Nullable Claim at(KeeperRef seat) {
    return seats.getOrDefault(seat.attempt(), Map.of()).get(seat.keeper());
  }

  void take(KeeperRef seat, Claim claim) {
    seats.computeIfAbsent(seat.attempt(), first -> new HashMap<>()).put(seat.keeper(), claim);
  }

  void leave(KeeperRef seat) {
    seats.computeIfPresent(
        seat.attempt(),
        (attempt, keepers) -> {
          keepers.remove(seat.keeper());
          return keepers.isEmpty() ? null : keepers;
        });
  }

  /** Returns the source of work for an environment; null while there is none. */
  @Nullable Offers offers(AttemptRef environment) {
    return offers.get(environment);
  }

  /** From any thread. */
  void offer(AttemptRef environment, Offers given) {
    confined(() -> offers.put(environment, given));
  }

  /** Forgets an attempt that is not followed any more; from any thread. */
  void forget(AttemptRef attempt) {
    confined(() -> {
      followers.remove(attempt);
      offers.remove(attempt);
      seats.remove(attempt);
    });
  }
}
