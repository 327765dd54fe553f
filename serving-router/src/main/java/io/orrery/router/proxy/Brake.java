package io.orrery.router.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Reads nothing more from a client of HTTP/2 while what was written to it waits: the windows of
 * HTTP/2 are for bodies only, so heads of answers and acknowledgements would pile up without end.
 */
final class Brake extends ChannelInboundHandlerAdapter {
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    ctx.fireChannelWritabilityChanged();
  }
}
