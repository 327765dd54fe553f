package io.orrery.gateway.http;

import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * Sends a file piece by piece, the next one when the one before has left. What fails after the head
 * cuts the connection, so that nobody takes a part for the whole.
 */
public final class Download {
  private static final int PIECE = 256 * 1024;

  /** The source of the pieces. */
  @FunctionalInterface
  public interface Source {
    Future<Piece> read(long offset, int limit);
  }

  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a client may read nothing
   */
  public Download(Clock clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
  }

  /** Answers with the file from an offset on. */
  public void send(RoutingContext context, String type, long offset, Source source) {
    source
        .read(offset, PIECE)
        .onSuccess(first -> {
          context.response().putHeader(HttpHeaders.CONTENT_TYPE, type);
          Outflow out = new Outflow(context.response(), clock, patience, () -> {});
          pass(first, source, out).onFailure(e -> context.response().reset());
        })
        .onFailure(context::fail);
  }

  private static Future<Void> pass(Piece piece, Source source, Outflow out) {
    return out.write(Buffer.buffer(piece.bytes()))
        .compose(left -> {
          if (piece.bytes().length == 0 || piece.next() >= piece.size()) {
            out.end();
            return Future.succeededFuture();
          }
          return source.read(piece.next(), PIECE).compose(next -> pass(next, source, out));
        });
  }
}
