package io.orrery.gateway.keeper;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Signs of life that are held back for a while: a keeper learns at once that its attempt is to end,
 * and asks no more often than every twenty seconds. A hint that gets lost costs that long.
 */
final class Beats {
  private static final Duration HELD = Duration.ofSeconds(20);

  private final Bus bus;
  private final Clock clock;
  private final Map<AttemptRef, Set<Promise<Boolean>>> held = new HashMap<>();
  private boolean closed;

  Beats(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** On the edge's event loop. */
  void listen() {
    bus.listen(
        TrialKeepers.CANCELED,
        hint -> {
          Set<Promise<Boolean>> waiting = held.remove(hint.attempt());
          if (waiting != null) {
            waiting.forEach(beat -> beat.tryComplete(true));
          }
        });
  }

  /** Whether the attempt is to end: as soon as it is, or after a while that it is not. */
  Future<Boolean> hold(TrialKeepers.Beat beat, HttpServerResponse response) {
    Promise<Boolean> told = Promise.promise();
    // Before the question, so that no hint falls between.
    held.computeIfAbsent(beat.attempt(), first -> new HashSet<>()).add(told);
    Clock.Timer end = clock.after(HELD, () -> told.tryComplete(false));
    response.closeHandler(gone -> told.tryComplete(false));
    bus.request(TrialKeepers.BEAT, beat)
        .onSuccess(orders -> {
          if (orders.cancel() || closed) {
            told.tryComplete(orders.cancel());
          }
        })
        .onFailure(told::tryFail);
    return told.future()
        .onComplete(done -> {
          end.cancel();
          held.computeIfPresent(
              beat.attempt(),
              (attempt, waiting) -> {
                waiting.remove(told);
                return waiting.isEmpty() ? null : waiting;
              });
        });
  }

  /** Lets all go; they ask the next server. */
  void close() {
    closed = true;
    Map<AttemptRef, Set<Promise<Boolean>>> all = Map.copyOf(held);
    held.clear();
    all.values().forEach(waiting -> Set.copyOf(waiting).forEach(beat -> beat.tryComplete(false)));
  }
}
