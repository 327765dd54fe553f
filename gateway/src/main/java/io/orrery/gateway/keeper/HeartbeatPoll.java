package io.orrery.gateway.keeper;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;

/**
 * Signs of life that are held back for a while: a keeper learns at once that its attempt is to end,
 * and asks no more often than every twenty seconds.
 */
final class HeartbeatPoll {
  private static final Duration HELD = Duration.ofSeconds(20);

  private final Bus bus;
  private final OfferPoll hints;

  HeartbeatPoll(Bus bus, Clock clock) {
    this.bus = bus;
    this.hints = new OfferPoll(clock);
  }

  /** On the edge's event loop. */
  void listen() {
    bus.listen(TrialKeepers.CANCELED, hint -> hints.come(hint.attempt()));
  }

  /** Whether the attempt is to end: as soon as it is, or after a while that it is not. */
  Future<TrialKeepers.Orders> hold(TrialKeepers.Beat beat, HttpServerResponse response) {
    // Before the question, so that no hint falls between.
    Promise<Boolean> told = hints.await(beat.attempt(), HELD, response);
    return bus.request(TrialKeepers.BEAT, beat)
        .onFailure(told::tryFail)
        .compose(orders -> {
          if (orders.cancel()) {
            told.tryComplete(true);
          }
          return told.future().map(cancel -> new TrialKeepers.Orders(cancel, orders.servers()));
        });
  }

  /** Lets all go; they ask the next server. */
  void close() {
    hints.close();
  }
}
