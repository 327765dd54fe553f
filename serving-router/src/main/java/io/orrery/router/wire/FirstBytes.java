package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.orrery.core.http.StrictRequests;
import io.vertx.core.http.HttpServerOptions;

/**
 * A handler that gives the first bytes of a connection without TLS to Vert.x one by one, until that
 * has chosen HTTP/1.1 or HTTP/2 by them, and then goes. So {@link StrictRequests} stands behind the
 * codec before that has read a request: Vert.x would handle a first one that asks for {@code h2c}
 * before it shows the connection.
 */
final class FirstBytes extends ChannelInboundHandlerAdapter {
  /** Bytes of the connection preface of HTTP/2 (RFC 9113 section 3.4). */
  private static final int PREFACE = 24;

  private final HttpServerOptions options;
  private int given;

  /**
   * @param options of the server that accepted the connection
   */
  FirstBytes(HttpServerOptions options) {
    this.options = options;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    boolean chosen = false;
    while (in.isReadable() && !chosen) {
      ctx.fireChannelRead(in.readRetainedSlice(1));
      chosen = isChosen(ctx.pipeline()) || ++given == PREFACE;
    }
    if (chosen) {
      ctx.pipeline().remove(this);
    }
    if (in.isReadable()) {
      ctx.fireChannelRead(in);
    } else {
      in.release();
    }
  }

  private boolean isChosen(ChannelPipeline pipeline) {
    return StrictRequests.watch(pipeline, options)
        || pipeline.get(Http2ConnectionHandler.class) != null;
  }
}
