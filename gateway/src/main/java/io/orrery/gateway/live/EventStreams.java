package io.orrery.gateway.live;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Query;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The streams of server-sent events (HTML standard) of one edge: a feature makes feeds of its news
 * here, and has clients listen to them. It runs on the edge's event loop only.
 *
 * <p>A client that knows nothing is told the present state first; a client that comes back with
 * {@code Last-Event-ID} goes on exactly where it was, as long as what it missed is still kept, and
 * is told {@code reset} otherwise.
 */
public final class EventStreams {
  /** The query parameter that every stream takes. */
  public static final String LAST_EVENT_ID = "lastEventId";

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final int MOST_LISTENERS = 2_000;

  /** How long a browser waits before it comes back. */
  private static final String RETRY = "retry: 2000\n\n";

  private final Clock clock;
  private final Duration patience;
  private final LiveNumbers numbers;
  private final Set<Listener> listeners = new HashSet<>();
  private Clock.@Nullable Timer heartbeat;

  /**
   * @param patience how long a client may read nothing
   * @param start a name that no other start of this server has had
   */
  public EventStreams(Clock clock, Duration patience, String start) {
    this.clock = clock;
    this.patience = patience;
    this.numbers = new LiveNumbers(start);
  }

  /** A new feed; who has it closes it. */
  public Feed feed(News news) {
    return new Feed(clock, numbers, news);
  }

  /** The id of the last event that a client has seen; null for one that has seen none. */
  public static @Nullable String lastEventId(RoutingContext context) {
    String header = context.request().getHeader("Last-Event-ID");
    String query = Query.of(context).text(LAST_EVENT_ID);
    // A browser sends the header when it comes back by itself, to the address it had.
    return header == null ? query : header;
  }

  /**
   * Has a client listen to a feed; fails its request with Busy when too many listen to any.
   *
   * @param onGone run when the client has left before the feed was closed
   */
  public void listen(
      RoutingContext context, Feed feed, @Nullable String lastEventId, Runnable onGone) {
    if (listeners.size() >= MOST_LISTENERS) {
      context.fail(
          new Problem.Busy(MOST_LISTENERS + " streams are open already.", Duration.ofSeconds(5))
              .toException());
      return;
    }
    HttpServerResponse response = context.response();
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
        // For a proxy in between: an event that waits for more is no event.
        .putHeader("X-Accel-Buffering", "no");
    Listener listener =
        new Listener(
            feed,
            response,
            clock,
            patience,
            gone -> {
              remove(gone);
              onGone.run();
            },
            this::remove);
    listeners.add(listener);
    Buffer preamble = Buffer.buffer(RETRY);
    if (lastEventId == null) {
      listener.begin(preamble);
    } else {
      listener.resume(preamble, numbers.of(lastEventId));
    }
    if (heartbeat == null) {
      heartbeat = clock.after(HEARTBEAT, this::beat);
    }
  }

  private void remove(Listener listener) {
    listeners.remove(listener);
    if (listeners.isEmpty() && heartbeat != null) {
      heartbeat.cancel();
      heartbeat = null;
    }
  }

  private void beat() {
    listeners.removeIf(Listener::over);
    Set.copyOf(listeners).forEach(Listener::beat);
    heartbeat = listeners.isEmpty() ? null : clock.after(HEARTBEAT, this::beat);
  }
}
