package io.orrery.orchestrator.keeper;

import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.keeper.KeptFiles.Claim;
import io.orrery.orchestrator.platform.Keepers.Offers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Who is there, as far as it was heard since the start: keepers that run, those who follow them,
 * and those who offer work to environments. Confined to one event loop but for what says otherwise.
 */
final class Presence {
  /**
   * A keeper's place in an attempt.
   *
   * @param keeper its name
   */
  record Seat(AttemptRef attempt, String keeper) {}

  private final Executor loop;
  private final Followers followers;
  private final Map<Seat, Claim> seats = new HashMap<>();
  private final Map<AttemptRef, Offers> offers = new HashMap<>();

  /**
   * @param loop runs what it gets on the event loop
   */
  Presence(Executor loop, Followers followers) {
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

  /** Who has a place; null when nobody was heard there. */
  @Nullable Claim at(Seat seat) {
    return seats.get(seat);
  }

  void take(Seat seat, Claim claim) {
    seats.put(seat, claim);
  }

  void leave(Seat seat) {
    seats.remove(seat);
  }

  /** Who gives work to an environment; null while nobody does. */
  @Nullable Offers offers(AttemptRef environment) {
    return offers.get(environment);
  }

  /** From any thread. */
  void offer(AttemptRef environment, Offers given) {
    confined(() -> offers.put(environment, given));
  }

  /** Nobody is interested in an attempt any more; from any thread. */
  void forget(AttemptRef attempt) {
    confined(() -> {
      followers.remove(attempt);
      offers.remove(attempt);
      seats.keySet().removeIf(seat -> seat.attempt().equals(attempt));
    });
  }
}
