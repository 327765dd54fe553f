package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * A handler before the codec of HTTP/2 that sends what the streams of a connection have written in
 * one turn of the event loop at its end, in one system call and one record of TLS. The codec
 * flushes each frame by itself, and answers of many streams come in one turn: an endpoint's
 * connection for each, or one connection that carries all of them.
 */
final class GatheredFlushes {
  /** So many of them are one at most. */
  private static final int MOST = 64;

  private GatheredFlushes() {}

  /** Gathers those of a connection of HTTP/2 whose codec has a place in the pipeline. */
  static void on(Channel channel, ChannelHandlerContext codec) {
    channel.pipeline().addBefore(codec.name(), null, new FlushConsolidationHandler(MOST, true));
  }

  /** Gathers those of a connection, if it is one of HTTP/2. */
  static void on(Channel channel) {
    ChannelHandlerContext codec = channel.pipeline().context(Http2ConnectionHandler.class);
    if (codec != null) {
      on(channel, codec);
    }
  }
}
