package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.wire.Mount;
import io.orrery.router.wire.Streams;
import io.orrery.router.wire.Wire;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The other end of a client's connection, in the words of the headers that tell of it. */
final class Peer {
  /** How long a connection may be open without a complete request head or a request at work. */
  private static final Duration MOST_IDLE = Duration.ofSeconds(75);

  private final ClientAddress address;
  private final String scheme;
  private final CharSequence addressLine;
  private final CharSequence schemeLine;
  private final String forwarded;
  private final TrailerReader trailers;
  private final @Nullable Channel channel;
  private final MemoryBudget.Connection memory;
  private @Nullable Told told;
  private @Nullable Streams streams;
  private int exchanges;
  private long idleSince;

  private Peer(
      ClientAddress address,
      String scheme,
      String forwarded,
      TrailerReader trailers,
      @Nullable Channel channel,
      MemoryBudget.Connection memory,
      long now) {
    this.address = address;
    this.scheme = scheme;
    this.addressLine = HttpHeaders.createOptimized(address.text());
    this.schemeLine = HttpHeaders.createOptimized(scheme);
    this.forwarded = forwarded;
    this.trailers = trailers;
    this.channel = channel;
    this.memory = memory;
    this.idleSince = now;
  }

  /** That of a connection which Vert.x has shown. */
  static Peer of(HttpConnection connection, Mount mount, Wire wire, Loop loop) {
    Channel channel = mount.seen(connection);
    MemoryBudget.Connection counted = channel == null ? null : Mount.counted(channel);
    Peer peer =
        of(connection, channel, counted == null ? loop.memory().uncounted() : counted, loop.now());
    if (channel != null) {
      peer.streams(wire, channel, loop);
    }
    return peer;
  }

  private static Peer of(
      HttpConnection connection,
      @Nullable Channel channel,
      MemoryBudget.Connection memory,
      long now) {
    ClientAddress address = ClientAddress.of(connection.remoteAddress().hostAddress());
    String scheme = connection.isSsl() ? "https" : "http";
    String text = address.text();
    String node = text.indexOf(':') < 0 ? text : "\"[" + text + "]\"";
    return new Peer(
        address,
        scheme,
        "for=" + node + ";proto=" + scheme + ";host=",
        TrailerReader.on(connection),
        channel,
        memory,
        now);
  }

  /** Leaves its plain requests to the way of bytes, if it speaks HTTP/2. */
  private void streams(Wire wire, Channel own, Loop loop) {
    streams =
        wire.streams(
            own,
            address,
            memory,
            new Streams.Listener() {
              @Override
              public void begun() {
                enter();
              }

              @Override
              public void over() {
                leave(loop.now());
              }
            });
  }

  /** Whether a request is forwarded as bytes, and needs nothing more. */
  boolean forwards(HttpServerRequest request, long now) {
    if (streams == null || !streams.take(request)) {
      return false;
    }
    seen(now);
    return true;
  }

  /** Without port. */
  ClientAddress address() {
    return address;
  }

  /** http or https. */
  String scheme() {
    return scheme;
  }

  /**
   * The headers that tell endpoints of the client, in the form in which it is cheapest to write.
   *
   * @param authority that it asked for
   * @param address X-Forwarded-For
   * @param scheme X-Forwarded-Proto
   * @param forwarded its element in Forwarded (RFC 7239)
   */
  record Told(
      CharSequence authority, CharSequence address, CharSequence scheme, CharSequence forwarded) {}

  /** Nearly always the same for all requests of a connection, and then made once. */
  Told told(String authority) {
    Told known = told;
    if (known == null || !known.authority().toString().equals(authority)) {
      known =
          new Told(
              HttpHeaders.createOptimized(authority),
              addressLine,
              schemeLine,
              HttpHeaders.createOptimized(forwarded + quoted(authority)));
      told = known;
    }
    return known;
  }

  private static String quoted(String authority) {
    return authority.indexOf(':') < 0 && authority.indexOf('[') < 0
        ? authority
        : '"' + authority + '"';
  }

  /** What is counted of the connection. */
  MemoryBudget.Connection memory() {
    return memory;
  }

  /** The connection as bytes; null when Vert.x does not show it. */
  @Nullable Channel channel() {
    return channel;
  }

  /**
   * Cuts off the client of a request that does not take its answer. Vert.x would first wait for
   * what was written to go, which it does not.
   */
  void cut(HttpServerRequest request) {
    Http2ConnectionHandler frames =
        request.version() != HttpVersion.HTTP_2 || channel == null
            ? null
            : channel.pipeline().get(Http2ConnectionHandler.class);
    if (frames != null && channel != null) {
      ChannelHandlerContext context = channel.pipeline().context(frames);
      frames.resetStream(
          context, request.streamId(), Http2Error.ENHANCE_YOUR_CALM.code(), context.newPromise());
      context.flush();
    } else {
      close(request.connection());
    }
  }

  /**
   * Sends a head before that of the answer, which Vert.x does for 100 and 103 alone; called while
   * no answer has begun.
   */
  void interim(HttpServerRequest request, int status, MultiMap fields) {
    if (channel == null) {
      return;
    }
    Http2ConnectionHandler frames = channel.pipeline().get(Http2ConnectionHandler.class);
    if (frames == null) {
      DefaultFullHttpResponse head =
          new DefaultFullHttpResponse(
              io.netty.handler.codec.http.HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
      fields.forEach((name, value) -> head.headers().add(name, value));
      channel.pipeline().lastContext().writeAndFlush(head);
    } else {
      Http2Headers head = new DefaultHttp2Headers();
      head.status(Integer.toString(status));
      fields.forEach((name, value) -> head.add(name.toLowerCase(Locale.ROOT), value));
      ChannelHandlerContext context = channel.pipeline().context(frames);
      frames
          .encoder()
          .writeHeaders(context, request.streamId(), head, 0, false, context.newPromise());
      frames.flush(context);
    }
  }

  /** Closes the connection, whether or not the client reads what waits for it. */
  void close(HttpConnection connection) {
    if (channel == null) {
      connection.close();
    } else {
      // Past the handlers of Vert.x, which would flush first.
      channel.pipeline().firstContext().close();
    }
  }

  /** The trailers of its requests. */
  TrailerReader trailers() {
    return trailers;
  }

  /** A request is at work. */
  void enter() {
    exchanges++;
  }

  /** It is over. */
  void leave(long now) {
    exchanges--;
    idleSince = now;
  }

  /** A request was answered at once. */
  void seen(long now) {
    idleSince = now;
  }

  /** Whether nothing has come of it for too long. */
  boolean tooIdle(long now) {
    return exchanges == 0 && now - idleSince > MOST_IDLE.toNanos();
  }
}
