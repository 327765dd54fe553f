package io.orrery.gateway.keeper;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The long polls of keepers: each is answered when there is something to tell, or at its time
 * limit, which is also how long a lost hint delays an answer. Confined to the edge's event loop.
 */
final class OfferPoll {
  private final Clock clock;
  private final Map<AttemptRef, Set<Promise<Boolean>>> held = new HashMap<>();
  private boolean closed;

  OfferPoll(Clock clock) {
    this.clock = clock;
  }

  /**
   * Waits for a hint from now on.
   *
   * @return true when one came, false when the while is over or the wait has ended; its holder may
   *     complete it
   */
  Promise<Boolean> await(AttemptRef attempt, Duration limit, HttpServerResponse response) {
    Promise<Boolean> told = Promise.promise();
    held.computeIfAbsent(attempt, first -> new HashSet<>()).add(told);
    Clock.Timer end = clock.after(limit, () -> told.tryComplete(false));
    response.closeHandler(gone -> told.tryComplete(false));
    told.future()
        .onComplete(done -> {
          end.cancel();
          held.computeIfPresent(
              attempt,
              (which, waiting) -> {
                waiting.remove(told);
                return waiting.isEmpty() ? null : waiting;
              });
        });
    if (closed) {
      told.tryComplete(false);
    }
    return told;
  }

  /** There is something to tell. */
  void come(AttemptRef attempt) {
    Set<Promise<Boolean>> waiting = held.remove(attempt);
    if (waiting != null) {
      Set.copyOf(waiting).forEach(each -> each.tryComplete(true));
    }
  }

  /** Lets all go; they ask the next server. */
  void close() {
    closed = true;
    Map<AttemptRef, Set<Promise<Boolean>>> all = Map.copyOf(held);
    held.clear();
    all.values().forEach(waiting -> Set.copyOf(waiting).forEach(each -> each.tryComplete(false)));
  }
}
