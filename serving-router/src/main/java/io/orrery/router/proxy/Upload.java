package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.orrery.router.route.Balance;
import io.orrery.router.route.RequestFacts;
import io.orrery.router.route.RequestKey;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way in. A small one of known length is read whole first: then head
 * and body go out in one write, and can be sent again. Any other flows from client to endpoint as
 * fast as the slower of both, and never rests here.
 */
final class Upload {
  /** The largest body that is read whole. */
  static final int WHOLE_BYTES = 64 * 1024;

  /** Hears how the body fares. */
  interface Listener {
    /** It can be sent: it is whole, or may begin to flow. */
    void ready();

    /** A piece came, or the client took one. */
    void moved();

    /** The last piece is on its way to the endpoint. */
    void sent();
  }

  private enum Way {
    NOTHING,
    WHOLE,
    STREAM
  }

  private final HttpServerRequest request;
  private final Supplier<@Nullable MultiMap> trailers;
  private final TrailerWriter writer;
  private final List<Mirror.Shot> shots;
  private final Listener listener;
  private final Consumer<Runnable> soon;
  private final Backlog backlog;
  private final @Nullable Channel source;
  private final boolean expectsContinue;
  private Way way = Way.NOTHING;

  /** All of a small body, or the piece of a large one that came before it was known to be one. */
  private @Nullable Buffer whole;

  /** The last piece of a body that flows. */
  private @Nullable Future<Void> written;

  private @Nullable MultiMap sentTrailers;
  private long came;
  private boolean ended;
  private boolean flowing;
  private boolean sent;

  /**
   * @param trailers of the request, when it has come to its end; null for none
   * @param writer passes them on
   * @param backlog what waits of the exchange
   * @param source the client's connection, where it is not shared
   * @param soon runs an action after what has already arrived
   */
  Upload(
      HttpServerRequest request,
      Supplier<@Nullable MultiMap> trailers,
      TrailerWriter writer,
      List<Mirror.Shot> shots,
      Listener listener,
      Backlog backlog,
      @Nullable Channel source,
      Consumer<Runnable> soon) {
    this.backlog = backlog;
    this.source = source;
    this.request = request;
    this.trailers = trailers;
    this.writer = writer;
    this.shots = shots;
    this.listener = listener;
    this.soon = soon;
    this.expectsContinue = expectsContinue(request);
  }

  /** Whether the client waits to be asked for the body (RFC 9110 section 10.1.1). */
  static boolean expectsContinue(HttpServerRequest request) {
    return request.version() != HttpVersion.HTTP_1_0
        && "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
  }

  /** Looks at the head and begins to read, or says at once that all is ready. */
  void begin() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null) {
      long bytes = Long.parseLong(length);
      if (bytes == 0) {
        finish();
      } else if (bytes <= WHOLE_BYTES && !expectsContinue) {
        way = Way.WHOLE;
        gather();
      } else {
        stream();
      }
    } else if (request.version() == HttpVersion.HTTP_2) {
      peek();
    } else if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      stream();
    } else {
      finish();
    }
  }

  /**
   * In HTTP/2 only the end of the stream tells whether there is a body; it may come with the head.
   */
  private void peek() {
    boolean[] known = {false};
    request.handler(piece -> {
      known[0] = true;
      came += piece.length();
      whole = piece;
      stream();
    });
    request.endHandler(end -> {
      known[0] = true;
      finish();
    });
    soon.accept(() -> {
      // A request that was reset meanwhile has ended, and this handler was not called.
      if (!known[0] && !request.isEnded()) {
        known[0] = true;
        stream();
      }
    });
  }

  private void finish() {
    ended = true;
    listener.ready();
  }

  private void stream() {
    way = Way.STREAM;
    request.pause();
    listener.ready();
    // What comes meanwhile would be kept, and there may be no connection for long.
    soon.accept(() -> {
      if (!flowing && !ended && source != null) {
        source.config().setAutoRead(false);
      }
    });
  }

  private void gather() {
    request.handler(piece -> {
      listener.moved();
      came += piece.length();
      backlog.keep(piece.length());
      Buffer before = whole;
      // Nearly always there is one piece, and then nothing is copied.
      whole = before == null ? piece : Buffer.buffer().appendBuffer(before).appendBuffer(piece);
    });
    request.endHandler(end -> {
      ended = true;
      Buffer body = whole;
      if (body != null) {
        shots.forEach(shot -> shot.add(body));
      }
      listener.ready();
    });
  }

  /** Whether another attempt could send the same again. */
  boolean repeatable() {
    return way != Way.STREAM || !flowing;
  }

  /** Whether there is no body, or all of it is held: it may be sent to two endpoints at once. */
  boolean isHeld() {
    return ended && way != Way.STREAM;
  }

  /** The key by which an endpoint is found; of the body when that is held. */
  @Nullable String key(Balance balance, RequestFacts facts) {
    RequestKey.BodyPrefix prefix = balance.bodyKey();
    Buffer body = whole;
    if (prefix == null) {
      return balance.keyOf(facts);
    }
    return isHeld() && body != null ? prefix.of(body::getByte, body.length()) : null;
  }

  /** Whether the client has sent everything. */
  boolean ended() {
    return ended;
  }

  /** Bytes that have come. */
  long came() {
    return came;
  }

  /** Whether everything has been handed to the endpoint's connection. */
  boolean sent() {
    return sent;
  }

  /** The trailers that were sent after the body; null for none. */
  @Nullable MultiMap sentTrailers() {
    return sentTrailers;
  }

  /** Whether the endpoint must be asked first whether it wants the body. */
  boolean asksFirst() {
    return way == Way.STREAM && expectsContinue;
  }

  /** Sends the body. Of one that flows this is the only time. */
  void to(HttpClientRequest upstream) {
    switch (way) {
      case NOTHING, WHOLE -> {
        alsoTo(upstream);
        done();
      }
      case STREAM -> flow(upstream);
    }
  }

  /** Sends what is held to one more endpoint, perhaps before the first one has a connection. */
  void alsoTo(HttpClientRequest upstream) {
    sent = true;
    Buffer body = whole;
    if (body == null) {
      upstream.end();
    } else {
      upstream.end(body);
    }
  }

  private void flow(HttpClientRequest upstream) {
    flowing = true;
    if (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      upstream.setChunked(true);
    }
    Buffer first = whole;
    whole = null;
    request.handler(piece -> {
      came += piece.length();
      pass(piece, upstream);
    });
    request.endHandler(end -> {
      ended = true;
      end(upstream);
      done();
    });
    Valve valve = new Valve(request, source, listener::moved, soon);
    backlog.sends(valve);
    valve.resume();
    if (first != null) {
      pass(first, upstream);
    }
  }

  private void end(HttpClientRequest upstream) {
    MultiMap last = trailers.get();
    // Only a body of unknown length has room for them in every version.
    if (last == null || request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      upstream.end();
    } else {
      sentTrailers = last;
      writer.end(upstream, last, written == null ? upstream.sendHead() : written);
    }
  }

  private void pass(Buffer piece, HttpClientRequest upstream) {
    listener.moved();
    shots.forEach(shot -> shot.add(piece));
    Future<Void> passed = upstream.write(piece);
    written = passed;
    backlog.toEndpoint(piece.length(), passed);
  }

  private void done() {
    sent = true;
    listener.sent();
  }

  /** Lets the rest go by unread, so that the client gets to read the answer. */
  void discard() {
    request.handler(piece -> {});
    request.endHandler(end -> ended = true);
    flowing = true;
    request.resume();
    soon.accept(() -> {
      if (source != null) {
        source.config().setAutoRead(true);
      }
    });
  }
}
