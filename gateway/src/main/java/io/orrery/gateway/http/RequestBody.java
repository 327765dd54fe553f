package io.orrery.gateway.http;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Utf8;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies without ever holding more than was allowed. A body that is too long is refused as
 * soon as that is known, by its Content-Length or by counting; the rest is then read and thrown
 * away, so that a client that writes before it reads still gets the answer and may use its
 * connection again. A client that stops in the middle is cut off.
 *
 * <p>Must be called before anything asynchronous happens to the request: a body flows at once.
 */
public final class RequestBody {
  /** How much of a refused body is thrown away before the connection is closed instead. */
  private static final long MOST_TO_SKIP = 512L << 20;

  /** All bodies that are being read at this moment, together. */
  private static final long MOST_HELD = 256L << 20;

  /** The mark of a body that was not looked at yet. */
  private static final long NEVER = -1;

  private final Clock clock;
  private final Duration patience;
  private final Set<Reading> open = new LinkedHashSet<>();
  private Clock.@Nullable Timer sweep;
  private long held;

  public RequestBody(Clock clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
  }

  /** The whole body as text. Refused when it is not UTF-8, TooLarge above {@code limit} bytes. */
  public Future<String> text(RoutingContext context, int limit) {
    return bytes(context.request(), limit).map(bytes -> Utf8.decode(bytes.getBytes()));
  }

  /** The whole body. TooLarge above {@code limit} bytes. */
  public Future<Buffer> bytes(HttpServerRequest request, int limit) {
    Buffer whole = Buffer.buffer();
    return pieces(request, limit, whole::appendBuffer).map(whole);
  }

  /**
   * The body piece by piece.
   *
   * @param taker takes the next piece; what it throws fails the future, and it is not called again
   * @return completes after the last piece
   */
  private Future<Void> pieces(HttpServerRequest request, int limit, Consumer<Buffer> taker) {
    boolean waits = "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    if (declared(request) > limit) {
      if (waits) {
        // It will not send the body, so the begin of its next request is unknown.
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      }
      skip(request);
      return Future.failedFuture(tooLarge(limit).toException());
    }
    if (waits) {
      request.response().writeContinue();
    }
    return new Reading(request, limit, taker).done.future();
  }

  /**
   * The body piece by piece, unpacked when its Content-Encoding says gzip.
   *
   * @param limit of the bytes as they come, and of what they unpack to
   * @param taker as for the pieces of a body that is not packed
   * @return completes after the last piece
   */
  public Future<Void> unpacked(HttpServerRequest request, int limit, Consumer<Buffer> taker) {
    String coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    return switch (coding == null ? "identity" : coding.strip().toLowerCase(Locale.ROOT)) {
      case "identity" -> pieces(request, limit, taker);
      case "gzip", "x-gzip" ->
          bytes(request, limit).compose(body -> GzipBody.unpack(body, limit, taker));
      default -> {
        skip(request);
        yield Future.failedFuture(
            new Problem.Refused(
                    new Finding("", "the Content-Encoding is gzip or none, not '" + coding + "'"))
                .toException());
      }
    };
  }

  /**
   * Throws a body away that is refused: as much as is reasonable, so that a client that writes
   * before it reads still gets the answer.
   */
  public void discard(HttpServerRequest request) {
    skip(request);
    request.resume();
  }

  /** A body that is being read. */
  private final class Reading {
    final Promise<Void> done = Promise.promise();
    private final HttpServerRequest request;
    private final int limit;
    private final Consumer<Buffer> taker;
    private long seen;
    private long seenAtLastLook = NEVER;

    Reading(HttpServerRequest request, int limit, Consumer<Buffer> taker) {
      this.request = request;
      this.limit = limit;
      this.taker = taker;
      request.handler(this::take);
      request.endHandler(ended -> finish(null));
      request.exceptionHandler(gone -> finish(new ClientGone()));
      open.add(this);
      if (sweep == null) {
        sweep = clock.after(patience, RequestBody.this::sweep);
      }
    }

    private void take(Buffer piece) {
      if (done.future().isComplete()) {
        return;
      }
      seen += piece.length();
      held += piece.length();
      if (seen > limit) {
        refuse(tooLarge(limit).toException());
      } else if (held > MOST_HELD) {
        refuse(
            new Problem.Busy("Too many large requests at once.", Duration.ofSeconds(1))
                .toException());
      } else {
        try {
          taker.accept(piece);
        } catch (RuntimeException e) {
          refuse(e);
        }
      }
    }

    private void look() {
      if (seen == seenAtLastLook) {
        finish(new HttpException(408));
      } else {
        seenAtLastLook = seen;
      }
    }

    private void refuse(RuntimeException why) {
      finish(why);
      skip(request);
    }

    private void finish(@Nullable Throwable failure) {
      open.remove(this);
      boolean first = failure == null ? done.tryComplete() : done.tryFail(failure);
      if (first) {
        held -= seen;
      }
    }
  }

  /**
   * Checks all bodies that are being read. One timer for all: most bodies are there with their
   * heads, and a timer would cost them as much as their reading.
   */
  private void sweep() {
    sweep = null;
    List.copyOf(open).forEach(Reading::look);
    if (!open.isEmpty()) {
      sweep = clock.after(patience, this::sweep);
    }
  }

  /** Throws the rest of a body away: as much as is reasonable, for as long as is reasonable. */
  private void skip(HttpServerRequest request) {
    Clock.Timer limit = clock.after(patience, () -> request.connection().close());
    long[] skipped = {0};
    request.handler(piece -> {
      skipped[0] += piece.length();
      if (skipped[0] > MOST_TO_SKIP) {
        request.connection().close();
      }
    });
    request.endHandler(ended -> limit.cancel());
    request.exceptionHandler(gone -> limit.cancel());
  }

  /** The length that a request announces; 0 when it announces none. */
  public static long declared(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private static Problem tooLarge(int limit) {
    return new Problem.TooLarge(
        String.format(Locale.ROOT, "A body may have %,d bytes here, this one has more.", limit));
  }
}
