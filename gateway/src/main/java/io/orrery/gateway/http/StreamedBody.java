package io.orrery.gateway.http;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;

/**
 * Streams bodies of requests to where they are written, part by part: the next bytes are read when
 * those before are written, so that a large file is never in memory.
 */
public final class StreamedBody {
  /** Uploads at once; each holds two parts at most. */
  private static final int MOST_OPEN = 64;

  private final RequestBody bodies;
  private final Clock clock;
  private final Duration patience;
  private final int partBytes;
  private int open;

  /** The place where parts are written, one after the other. */
  @FunctionalInterface
  public interface Sink {
    /** Writes a part. */
    Future<?> write(long offset, byte[] part);
  }

  /**
   * @param patience how long a client may send nothing
   * @param partBytes of a part
   */
  public StreamedBody(RequestBody bodies, Clock clock, Duration patience, int partBytes) {
    this.bodies = bodies;
    this.clock = clock;
    this.patience = patience;
    this.partBytes = partBytes;
  }

  /**
   * Passes a body on. Called before anything asynchronous happens to the request.
   *
   * @param most bytes that it may have
   * @param tooLarge the refusal of more
   * @param allowed fails when the caller may not; then nothing is written. At most a part is read
   *     before
   * @return the number of bytes; fails with {@code tooLarge}, Busy, or what writing failed with
   */
  public Future<Long> receive(
      HttpServerRequest request, long most, Problem tooLarge, Future<?> allowed, Sink sink) {
    boolean waits = "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    Problem problem =
        RequestBody.declared(request) > most
            ? tooLarge
            : open >= MOST_OPEN
                ? new Problem.Busy("Too many uploads at once.", Duration.ofSeconds(2))
                : null;
    if (problem != null) {
      if (waits) {
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      }
      bodies.discard(request);
      return Future.failedFuture(problem.toException());
    }
    if (waits) {
      request.response().writeContinue();
    }
    open++;
    return new Upload(request, most, tooLarge, allowed, sink)
        .done
        .future()
        .onComplete(ended -> open--);
  }

  /** An upload under way; it completes with its size. */
  private final class Upload {
    final Promise<Long> done = Promise.promise();
    private final HttpServerRequest request;
    private final long most;
    private final Problem tooLarge;
    private final Sink sink;
    private Buffer gathered = Buffer.buffer();
    private long sent;
    private boolean ended;

    /** Whether a part is on its way; at first, whether the permission is. */
    private boolean sending = true;

    private long seen;
    private long seenAtLastLook = -1;
    private Clock.Timer watch;

    Upload(HttpServerRequest request, long most, Problem tooLarge, Future<?> allowed, Sink sink) {
      this.request = request;
      this.most = most;
      this.tooLarge = tooLarge;
      this.sink = sink;
      this.watch = clock.after(patience, this::look);
      request.handler(this::take);
      request.endHandler(end -> {
        ended = true;
        send();
      });
      request.exceptionHandler(gone -> fail(new ClientGone()));
      allowed.onComplete((permitted, refusal) -> {
        sending = false;
        if (refusal == null) {
          send();
        } else {
          refuse(refusal);
        }
      });
    }

    private void take(Buffer piece) {
      if (done.future().isComplete()) {
        return;
      }
      seen += piece.length();
      if (seen > most) {
        refuse(tooLarge.toException());
        return;
      }
      gathered.appendBuffer(piece);
      if (gathered.length() >= partBytes) {
        request.pause();
        send();
      }
    }

    /** Sends what is gathered, one part after the other; then reads on. */
    private void send() {
      if (sending || done.future().isComplete()) {
        return;
      }
      int length = Math.min(gathered.length(), partBytes);
      if (length == 0 || (length < partBytes && !ended)) {
        if (ended) {
          watch.cancel();
          done.tryComplete(sent);
        } else {
          request.resume();
        }
        return;
      }
      sending = true;
      byte[] part = gathered.getBytes(0, length);
      gathered = gathered.getBuffer(length, gathered.length());
      sink.write(sent, part)
          .onComplete((added, failure) -> {
            sending = false;
            if (failure != null) {
              refuse(failure);
            } else {
              sent += length;
              send();
            }
          });
    }

    private void look() {
      if (seen == seenAtLastLook && !ended && !sending) {
        fail(new HttpException(408));
      } else {
        seenAtLastLook = seen;
        watch = clock.after(patience, this::look);
      }
    }

    private void refuse(Throwable why) {
      if (done.tryFail(why)) {
        watch.cancel();
        if (!ended) {
          bodies.discard(request);
        }
      }
    }

    private void fail(Throwable why) {
      watch.cancel();
      done.tryFail(why);
    }
  }
}
