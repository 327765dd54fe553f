package io.orrery.gateway.http;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Copies a log to a client: one piece is read when the piece before it has left. Where nothing new
 * is there yet, it looks again after a while, until the program that writes it has ended.
 */
final class LogTail {
  static final long ENDLESS = Long.MAX_VALUE;

  private static final int PIECE = 64 * 1024;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Reads a piece of a log. */
  @FunctionalInterface
  public interface Source {
    /**
     * A piece.
     *
     * @param offset in bytes; negative counts from the end
     * @param limit the most bytes
     */
    Future<Trials.LogPiece> read(long offset, int limit);
  }

  private final Clock clock;
  private final Source source;
  private final long end;
  private final Promise<Void> done = Promise.promise();
  private long offset;
  private Clock.@Nullable Timer pause;
  private @Nullable Outflow out;

  /**
   * @param offset where to begin; negative counts from the end
   * @param end where to stop, {@link #ENDLESS} to follow
   */
  LogTail(Clock clock, Source source, long offset, long end) {
    this.clock = clock;
    this.source = source;
    this.offset = offset;
    this.end = end;
  }

  /** Completes when the log is through or {@link #stop}ped; fails when it cannot be read. */
  Future<Void> into(Outflow client) {
    out = client;
    next(client);
    return done.future();
  }

  /** Ends the copy where it is. */
  void stop() {
    if (pause != null) {
      pause.cancel();
    }
    if (out != null) {
      out.end();
    }
    done.tryComplete();
  }

  private void next(Outflow client) {
    int limit = (int) Math.min(PIECE, offset < 0 ? -Math.max(offset, -PIECE) : end - offset);
    if (limit <= 0) {
      stop();
      return;
    }
    source
        .read(offset, limit)
        .compose(piece -> client.write(Buffer.buffer(piece.bytes())).map(piece))
        .onSuccess(piece -> goOn(client, piece))
        .onFailure(done::tryFail);
  }

  private void goOn(Outflow client, Trials.LogPiece piece) {
    offset = piece.next();
    if (client.over()) {
      done.tryComplete();
    } else if (piece.complete()) {
      stop();
    } else if (piece.bytes().length > 0) {
      next(client);
    } else if (end == ENDLESS) {
      client.begin();
      pause = clock.after(PAUSE, () -> next(client));
    } else {
      stop();
    }
  }
}
