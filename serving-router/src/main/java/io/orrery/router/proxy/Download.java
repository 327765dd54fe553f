package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.Trailers;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer on its way out. A small one of known length leaves with its head in one write; any
 * other flows piece by piece, as fast as the client reads, its trailers after it.
 */
final class Download {
  /** Hears how the answer fares. */
  interface Listener {
    /** A piece came, or the client took one. */
    void moved();

    /** All of it has been written. */
    void delivered();

    /** The endpoint broke off in the middle. */
    void broken();
  }

  private final HttpServerRequest request;
  private final HttpClientResponse from;
  private final HttpServerResponse to;
  private final @Nullable BodyDigest digest;
  private final Listener listener;
  private final Consumer<Runnable> soon;
  private final Backlog backlog;
  private final @Nullable Channel source;
  private boolean closes;

  /** HTTP/1.0 knows no other end of a body that has no length than that of its connection. */
  private boolean endless;

  private boolean finished;
  private @Nullable Buffer whole;

  /**
   * @param digest where the body is counted in; null when it is not compared
   * @param backlog what waits of the exchange
   * @param source the endpoint's connection, where it is not shared
   * @param soon runs an action after what has already arrived
   */
  Download(
      HttpServerRequest request,
      HttpClientResponse from,
      @Nullable BodyDigest digest,
      Listener listener,
      Backlog backlog,
      @Nullable Channel source,
      Consumer<Runnable> soon) {
    this.backlog = backlog;
    this.source = source;
    this.request = request;
    this.from = from;
    this.to = request.response();
    this.digest = digest;
    this.listener = listener;
    this.soon = soon;
  }

  /**
   * Writes the head and lets the rest follow.
   *
   * @param last whether the client's connection ends with this answer
   * @param date for an answer that has none (RFC 9110 section 6.6.1)
   */
  void begin(boolean last, DateField date) {
    endless = request.version() == HttpVersion.HTTP_1_0 && length() < 0 && !bodiless();
    closes = (last && request.version() != HttpVersion.HTTP_2) || endless;
    to.setStatusCode(from.statusCode());
    if (request.version() != HttpVersion.HTTP_2 && from.statusCode() != 304) {
      String phrase = from.statusMessage();
      if (SmugglingCheck.isAscii(phrase)) {
        // Of others Vert.x does not keep the bytes, and a phrase may be left out. To a 304 with a
        // phrase of its own Vert.x adds a length of 0, which is not that of the 200 (RFC 9110,
        // 8.6).
        to.setStatusMessage(phrase);
      }
    }
    HeaderRules.response(from.headers(), to.headers());
    if (!to.headers().contains(HttpHeaders.DATE)) {
      to.putHeader(HttpHeaders.DATE, date.value());
    }
    if (closes) {
      to.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    from.exceptionHandler(broken -> listener.broken());
    long length = length();
    if ((length >= 0 && length <= Upload.WHOLE_BYTES) || bodiless()) {
      gather();
    } else {
      flow(length < 0);
    }
  }

  private long length() {
    String length = from.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? -1 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private boolean bodiless() {
    return HeaderRules.bodiless(from);
  }

  private void gather() {
    from.handler(piece -> {
      moved(piece);
      Buffer before = whole;
      whole = before == null ? piece : Buffer.buffer().appendBuffer(before).appendBuffer(piece);
    });
    from.endHandler(end -> finish());
  }

  private void moved(Buffer piece) {
    listener.moved();
    if (digest != null) {
      digest.add(ByteBuffer.wrap(piece.getBytes()));
    }
  }

  private void flow(boolean unknownLength) {
    if (unknownLength && request.version() == HttpVersion.HTTP_1_1) {
      to.setChunked(true);
    }
    backlog.answers(new Valve(from, source, listener::moved, soon));
    from.handler(piece -> {
      moved(piece);
      backlog.toClient(piece.length(), to.write(piece));
    });
    from.endHandler(end -> finish());
    if (from.version() == HttpVersion.HTTP_2) {
      // It may have ended with its head; gRPC tells a failed call in that way, and by no other.
      soon.accept(this::announce);
    } else {
      announce();
    }
  }

  /** An event stream may be silent for long: its client wants to know that it has begun. */
  private void announce() {
    if (finished || to.headWritten() || to.closed()) {
      return;
    }
    if (endless) {
      // Vert.x writes a head alone only where it says how its body ends.
      to.write(Buffer.buffer());
    } else {
      to.writeHead();
    }
  }

  private void finish() {
    finished = true;
    // With its end the client's next request would be taken up, whose answer is kept here as well.
    if (to.writeQueueFull() && !to.closed()) {
      to.drainHandler(room -> end());
    } else {
      end();
    }
  }

  private void end() {
    if (to.closed() || to.ended()) {
      return;
    }
    from.trailers()
        .forEach((name, value) -> {
          if (Trailers.mayPass(name)) {
            to.trailers().add(name, value);
          }
        });
    Buffer body = whole;
    if (body == null || bodiless()) {
      closeAfter(to.end());
    } else {
      Future<Void> written = to.end(body);
      backlog.toClient(body.length(), written);
      closeAfter(written);
    }
    listener.delivered();
  }

  private void closeAfter(Future<Void> written) {
    if (closes) {
      written.onComplete(done -> request.connection().close());
    }
  }
}
