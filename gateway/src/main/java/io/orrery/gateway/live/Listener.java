package io.orrery.gateway.live;

import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Outflow;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A client of a feed, as a position in it. It gets the next event when its socket has room; until
 * then only the position is kept. When the feed has dropped that position, the client is told to
 * start again. {@link Outflow} closes the connection of a client that reads nothing.
 */
final class Listener {
  private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

  private final Feed feed;
  private final Outflow out;
  private final Consumer<Listener> onEnd;
  private long place;
  private boolean full;

  /**
   * @param patience how long the client may read nothing
   * @param onGone called when the client has left, and is no listener of the feed any more
   * @param onEnd called when the feed has said good-bye to it
   */
  Listener(
      Feed feed,
      HttpServerResponse response,
      Clock clock,
      Duration patience,
      Consumer<Listener> onGone,
      Consumer<Listener> onEnd) {
    this.feed = feed;
    this.onEnd = onEnd;
    this.out =
        new Outflow(
            response,
            clock,
            patience,
            () -> {
              feed.leave(this);
              onGone.accept(this);
            });
  }

  /** Begins with all that is new, after a greeting. */
  void begin(Buffer preamble) {
    place = feed.newest();
    feed.join(this);
    write(preamble.appendBuffer(feed.mark()).appendBuffer(feed.greeting()));
  }

  /** Begins where another connection of this client broke off. */
  void resume(Buffer preamble, long after) {
    place = after;
    feed.join(this);
    write(preamble);
    pump();
  }

  /** Writes as much as there is, and as there is room for. */
  void pump() {
    while (!full && !out.over()) {
      if (!feed.reachesBackTo(place)) {
        place = feed.newest();
        write(feed.reset());
        continue;
      }
      Map.Entry<Long, Buffer> next = feed.after(place);
      if (next == null) {
        return;
      }
      place = next.getKey();
      write(next.getValue());
    }
  }

  /** Shows the client, and whatever is in between, that the connection lives. */
  void beat() {
    if (!full) {
      write(HEARTBEAT);
    }
  }

  /** Whether nothing can be told any more. */
  boolean over() {
    return out.over();
  }

  void end() {
    feed.leave(this);
    out.end();
    onEnd.accept(this);
  }

  private void write(Buffer piece) {
    Future<Void> room = out.write(piece);
    if (!room.isComplete()) {
      full = true;
      room.onSuccess(free -> {
        full = false;
        pump();
      });
    }
  }
}
