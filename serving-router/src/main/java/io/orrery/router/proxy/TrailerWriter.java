package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Headers;
import io.orrery.router.wire.Mount;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import java.util.Locale;

/**
 * Ends requests with trailers, for which Vert.x has no way: in HTTP/1.1 it swaps the last message
 * of the body, in HTTP/2 it writes the last frame itself. See {@link TrailerReader}.
 */
final class TrailerWriter {
  private final Mount mount;

  TrailerWriter(Mount mount) {
    this.mount = mount;
  }

  /**
   * Ends a request whose body is of unknown length; called on its event loop.
   *
   * @param written the last piece of the body, or the head when there is none
   */
  void end(HttpClientRequest request, MultiMap trailers, Future<?> written) {
    HttpConnection connection = request.connection();
    Channel channel = mount.between(connection.localAddress(), connection.remoteAddress());
    if (channel == null) {
      request.end();
      return;
    }
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null) {
      String last = channel.pipeline().lastContext().name();
      channel.pipeline().addBefore(last, null, new LastMessage(trailers));
      request.end();
    } else {
      // They must not come before what still waits for the endpoint's window.
      ChannelHandlerContext frames = channel.pipeline().context(http2);
      written.onSuccess(done -> {
        http2
            .encoder()
            .writeHeaders(
                frames, request.streamId(), fields(trailers), 0, true, frames.newPromise());
        http2.flush(frames);
      });
    }
  }

  private static Http2Headers fields(MultiMap trailers) {
    Http2Headers fields = new DefaultHttp2Headers();
    trailers.forEach((name, value) -> fields.add(name.toLowerCase(Locale.ROOT), value));
    return fields;
  }

  /** Puts the trailers into the last message of a body, and goes. */
  private static final class LastMessage extends ChannelOutboundHandlerAdapter {
    private final MultiMap trailers;

    LastMessage(MultiMap trailers) {
      this.trailers = trailers;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (message instanceof LastHttpContent last) {
        LastHttpContent full = new DefaultLastHttpContent(last.content());
        trailers.forEach((name, value) -> full.trailingHeaders().add(name, value));
        ctx.write(full, promise);
        ctx.pipeline().remove(this);
      } else {
        ctx.write(message, promise);
      }
    }
  }
}
