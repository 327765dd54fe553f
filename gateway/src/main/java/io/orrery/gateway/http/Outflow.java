package io.orrery.gateway.http;

import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A long answer, written no faster than its client reads. Its producer waits for the future of one
 * piece before it makes the next, so at most one piece is in memory beside the socket's own queue.
 * A producer that fails calls {@code RoutingContext.fail} and not {@link #end}: the connection is
 * then cut, so that no client takes a part for the whole.
 */
public final class Outflow {
  /**
   * Bytes that may be on their way to the socket while more is taken. Counted here: Vert.x counts
   * pieces, of which sixteen large ones are a lot.
   */
  private static final int ROOM = 64 * 1024;

  private final HttpServerResponse response;
  private final Clock clock;
  private final Duration patience;
  private @Nullable Promise<Void> room;
  private Clock.@Nullable Timer limit;
  private long onTheWay;
  private boolean over;

  /**
   * @param onGone called once when the client leaves before {@link #end}
   * @param patience how long a client may read nothing
   */
  public Outflow(HttpServerResponse response, Clock clock, Duration patience, Runnable onGone) {
    this.response = response;
    this.clock = clock;
    this.patience = patience;
    response.setChunked(true);
    response.closeHandler(closed -> {
      if (!over) {
        over = true;
        settle(new ClientGone());
        onGone.run();
      }
    });
  }

  /** Completes when there is room for the next piece; fails with {@link ClientGone}. */
  public Future<Void> write(Buffer piece) {
    if (over()) {
      return Future.failedFuture(new ClientGone());
    }
    if (piece.length() > 0) {
      onTheWay += piece.length();
      response.write(piece).onSuccess(written -> left(piece.length()));
    }
    if (onTheWay <= ROOM) {
      return Future.succeededFuture();
    }
    Promise<Void> waiting = Promise.promise();
    room = waiting;
    limit = clock.after(patience, response::reset);
    return waiting.future();
  }

  /** Lets the client see the head of the answer, though there is nothing to say yet. */
  public void begin() {
    if (!over && !response.headWritten()) {
      response.writeHead();
    }
  }

  /** Whether nothing more can be written. */
  public boolean over() {
    return over || response.closed();
  }

  /** Ends the answer, which is complete. */
  public void end() {
    if (!over) {
      over = true;
      settle(new ClientGone());
      response.end();
    }
  }

  private void left(int bytes) {
    onTheWay -= bytes;
    if (onTheWay <= ROOM) {
      settle(null);
    }
  }

  private void settle(@Nullable Throwable failure) {
    if (limit != null) {
      limit.cancel();
      limit = null;
    }
    Promise<Void> waiting = room;
    room = null;
    if (waiting != null) {
      if (failure == null) {
        waiting.complete();
      } else {
        waiting.fail(failure);
      }
    }
  }
}
