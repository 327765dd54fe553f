package io.orrery.gateway.http;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends a file piece by piece, the next one when the one before has left. What fails after the head
 * cuts the connection, so that no client takes a part for the whole.
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
          pass(first, source, out).onFailure(context::fail);
        })
        .onFailure(context::fail);
  }

  /** A file that grows is sent up to its present end; one that shrinks was not sent whole. */
  private static Future<Optional<Piece>> more(Piece next, long size) {
    return next.bytes().length == 0 && next.next() < Math.max(size, next.size())
        ? Future.failedFuture(
            new Problem.Broken("the file became shorter while it was read").toException())
        : Future.succeededFuture(Optional.of(next));
  }

  private static Future<Void> pass(Piece piece, Source source, Outflow out) {
    return AsyncLoop.iterate(
            piece,
            now ->
                out.write(Buffer.buffer(now.bytes()))
                    .compose(left ->
                        now.next() >= now.size()
                            ? Future.succeededFuture(Optional.empty())
                            : source
                                .read(now.next(), PIECE)
                                .compose(next -> more(next, piece.size()))))
        .onSuccess(all -> out.end());
  }
}
