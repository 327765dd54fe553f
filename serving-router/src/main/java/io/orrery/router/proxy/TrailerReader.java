package io.orrery.router.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.orrery.router.policy.Trailers;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The trailers of the requests of one connection. Vert.x reads them and does not show them, so they
 * are noted down on their way to it: in HTTP/1.1 by a handler before its own, in HTTP/2 by a
 * listener of frames before its own. With {@link TrailerWriter} it is all of this way that uses the
 * channels of Vert.x, which it does not promise (docs/decisions/0022).
 */
final class TrailerReader {
  /** Requests whose trailers were not asked for yet; those of more are forgotten. */
  private static final int MOST = 64;

  /** Characters of the trailers of one request; more are forgotten. */
  private static final int MOST_TEXT = 8 * 1024;

  /** By the number of the request on its connection in HTTP/1.1, by its stream in HTTP/2. */
  private final Map<Integer, MultiMap> waiting =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, MultiMap> eldest) {
          return size() > MOST;
        }
      };

  /** Requests of HTTP/1.1 that Vert.x has shown so far. */
  private int shown;

  private TrailerReader() {}

  /** Begins to read; called when the connection opens, before its first request. */
  static TrailerReader on(HttpConnection connection) {
    TrailerReader reader = new TrailerReader();
    if (connection instanceof ConnectionBase base) {
      ChannelHandlerContext vertx = base.channelHandlerContext();
      if (vertx.handler() instanceof Http2ConnectionHandler http2) {
        http2.decoder().frameListener(reader.new Frames(http2.decoder().frameListener()));
      } else {
        vertx.pipeline().addBefore(vertx.name(), null, reader.new Messages());
      }
    }
    return reader;
  }

  /**
   * Those of a request; called once for each, in the order in which they came.
   *
   * @return gives them when the request has come to its end, without those that may not pass; null
   *     when there is none
   */
  Supplier<@Nullable MultiMap> of(HttpServerRequest request) {
    int number = request.version() == HttpVersion.HTTP_2 ? request.streamId() : ++shown;
    return () -> waiting.remove(number);
  }

  private void keep(
      int number,
      Iterable<? extends Map.Entry<? extends CharSequence, ? extends CharSequence>> all) {
    MultiMap passing = MultiMap.caseInsensitiveMultiMap();
    int text = 0;
    for (Map.Entry<? extends CharSequence, ? extends CharSequence> field : all) {
      if (Trailers.mayPass(field.getKey().toString())) {
        passing.add(field.getKey(), field.getValue());
        text += field.getKey().length() + field.getValue().length();
      }
    }
    if (!passing.isEmpty() && text <= MOST_TEXT) {
      waiting.put(number, passing);
    }
  }

  private final class Messages extends ChannelInboundHandlerAdapter {
    private int read;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest) {
        read++;
      }
      if (message instanceof LastHttpContent last && !last.trailingHeaders().isEmpty()) {
        keep(read, last.trailingHeaders().entries());
      }
      ctx.fireChannelRead(message);
    }
  }

  private final class Frames extends Http2FrameListenerDecorator {
    Frames(Http2FrameListener vertx) {
      super(vertx);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end)
        throws Http2Exception {
      note(stream, headers);
      super.onHeadersRead(ctx, stream, headers, padding, end);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean end)
        throws Http2Exception {
      note(stream, headers);
      super.onHeadersRead(ctx, stream, headers, dependency, weight, exclusive, padding, end);
    }

    /** The head of a request has a method; what comes after it has none. */
    private void note(int stream, Http2Headers headers) {
      if (headers.method() == null) {
        keep(stream, headers);
      }
    }
  }
}
