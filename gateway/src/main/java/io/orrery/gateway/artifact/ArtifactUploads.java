package io.orrery.gateway.artifact;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Artifacts.Stored;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.ClientGone;
import io.orrery.gateway.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Streams bodies of requests to the files that are kept by content, part by part: the next bytes
 * are read when those before are written, so that a large file is never in memory.
 */
public final class ArtifactUploads {
  /** Uploads at once; each holds two parts at most. */
  private static final int MOST_OPEN = 64;

  private final Bus bus;
  private final RequestBody bodies;
  private final Clock clock;
  private final Duration patience;
  private final RandomGenerator random;
  private int open;

  /**
   * @param patience how long a client may send nothing
   * @param random makes the names of uploads: a cryptographic source
   */
  public ArtifactUploads(
      Bus bus, RequestBody bodies, Clock clock, Duration patience, RandomGenerator random) {
    this.bus = bus;
    this.bodies = bodies;
    this.clock = clock;
    this.patience = patience;
    this.random = random;
  }

  /**
   * Stores the body of a request. Called before anything asynchronous happens to the request.
   *
   * @param digest that the content must have; null for any
   * @return fails with Refused when the content has another digest, TooLarge, or Busy
   */
  public Future<Stored> receive(HttpServerRequest request, @Nullable String digest) {
    return receive(request, digest, Future.succeededFuture());
  }

  /**
   * The same when it is not known yet whether the caller may: at most a part is read before.
   *
   * @param allowed fails when the caller may not; then nothing is stored
   */
  public Future<Stored> receive(
      HttpServerRequest request, @Nullable String digest, Future<?> allowed) {
    boolean waits = "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    Problem problem =
        declared(request) > Artifacts.MOST_BYTES
            ? tooLarge()
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
    Upload upload = new Upload(request, allowed);
    return upload
        .done
        .future()
        .compose(bytes ->
            bus.request(Artifacts.COMMIT, new Artifacts.Commit(upload.name, bytes, digest)))
        .onComplete(ended -> open--);
  }

  private static Problem tooLarge() {
    return new Problem.TooLarge("A file has at most %,d bytes.".formatted(Artifacts.MOST_BYTES));
  }

  private static long declared(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  /** An upload under way; it completes with its size. */
  private final class Upload {
    final Promise<Long> done = Promise.promise();
    final String name;
    private final HttpServerRequest request;
    private Buffer gathered = Buffer.buffer();
    private long sent;
    private boolean ended;

    /** Whether a part is on its way; at first, whether the permission is. */
    private boolean sending = true;

    private long seen;
    private long seenAtLastLook = -1;
    private Clock.Timer watch;

    Upload(HttpServerRequest request, Future<?> allowed) {
      this.request = request;
      byte[] id = new byte[16];
      random.nextBytes(id);
      this.name = HexFormat.of().formatHex(id);
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
      if (seen > Artifacts.MOST_BYTES) {
        refuse(tooLarge().toException());
        return;
      }
      gathered.appendBuffer(piece);
      if (gathered.length() >= Artifacts.PART) {
        request.pause();
        send();
      }
    }

    /** Sends what is gathered, one part after the other; then reads on. */
    private void send() {
      if (sending || done.future().isComplete()) {
        return;
      }
      int length = Math.min(gathered.length(), Artifacts.PART);
      if (length == 0 || (length < Artifacts.PART && !ended)) {
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
      bus.request(Artifacts.ADD_PART, new Artifacts.AddPart(name, sent, part))
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
