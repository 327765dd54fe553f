package io.orrery.gateway.route;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.time.Clock;
import io.orrery.gateway.live.EventStreams;
import io.orrery.gateway.live.Feed;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Polls the serving router for as long as any client listens. Its counters count in any case, so
 * they are polled; of a table so large that a look takes long, less often.
 */
final class RouteWatch {
  private static final Duration PACE = Duration.ofSeconds(1);

  /** A look may take this part of the time. */
  private static final int SHARE = 20;

  private final Bus bus;
  private final Clock clock;
  private final Feed feed;
  private final RouteNews news = new RouteNews();
  private Clock.@Nullable Timer next;
  private final Future<Void> known;
  private boolean closed;

  RouteWatch(Bus bus, Clock clock, EventStreams streams) {
    this.bus = bus;
    this.clock = clock;
    this.feed = streams.feed(news);
    this.known = begin();
  }

  Feed feed() {
    return feed;
  }

  /** Completes when the router has answered once; fails when there is none. */
  Future<Void> known() {
    return known;
  }

  private Future<Void> begin() {
    return bus.request(Routes.SHOW, new Routes.Show())
        .onSuccess(table -> {
          news.add(table);
          lookAfter(PACE);
        })
        .mapEmpty();
  }

  private void lookAfter(Duration pause) {
    if (!closed) {
      next = clock.after(pause, this::look);
    }
  }

  private void look() {
    Instant began = clock.now();
    bus.request(Routes.SHOW, new Routes.Show())
        .onSuccess(table -> {
          if (news.add(table)) {
            feed.changed();
          }
        })
        // A router that is gone says nothing any more; the page sees that nothing comes.
        .onComplete(looked -> {
          Duration pause = Duration.between(began, clock.now()).multipliedBy(SHARE);
          lookAfter(pause.compareTo(PACE) > 0 ? pause : PACE);
        });
  }

  void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
    feed.close();
  }
}
