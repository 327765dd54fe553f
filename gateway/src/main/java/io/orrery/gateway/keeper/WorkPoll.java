package io.orrery.gateway.keeper;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;

/**
 * The long-poll queue of attempts that environments are to start. A poll is answered when work
 * arrives, or after a short timeout, because an environment reports failed starts with its next
 * poll.
 */
final class WorkPoll {
  private static final Duration HELD = Duration.ofSeconds(5);

  private final Bus bus;
  private final OfferPoll hints;

  WorkPoll(Bus bus, Clock clock) {
    this.bus = bus;
    this.hints = new OfferPoll(clock);
  }

  /** On the edge's event loop. */
  void listen() {
    bus.listen(TrialKeepers.OFFERED, hint -> hints.come(hint.environment()));
  }

  /** What is to be started: at once, or when there is something, or nothing after a while. */
  Future<TrialKeepers.Work> hold(TrialKeepers.AskWork asked, HttpServerResponse response) {
    // Before the question, so that no hint falls between.
    Promise<Boolean> hint = hints.await(asked.environment(), HELD, response);
    return bus.request(TrialKeepers.WORK, asked)
        .compose(work ->
            work.start().isEmpty()
                ? hint.future()
                    .compose(came ->
                        came ? bus.request(TrialKeepers.WORK, asked) : Future.succeededFuture(work))
                : Future.succeededFuture(work))
        .onComplete(answered -> hint.tryComplete(false));
  }

  /** Lets all go; they ask the next server. */
  void close() {
    hints.close();
  }
}
