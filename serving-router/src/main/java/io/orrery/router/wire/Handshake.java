package io.orrery.router.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/**
 * A handler between the TLS of a connection and Vert.x, until their handshake is over. A client
 * that has chosen HTTP/2 is Vert.x's; any other becomes a {@link Client}. Vert.x makes its own
 * handlers of HTTP when it hears that the handshake is over, so it does not hear of it before the
 * client is left to it: until then the connection is nothing but TLS for Vert.x, which shows its
 * certificates, renews them, and cuts off handshakes that take too long.
 */
final class Handshake extends ChannelInboundHandlerAdapter {
  private final Wire wire;

  Handshake(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (!(event instanceof SslHandshakeCompletionEvent end) || !end.isSuccess()) {
      ctx.fireUserEventTriggered(event);
    } else if (isHttp2(ctx.pipeline())) {
      ctx.pipeline().remove(this);
      ctx.fireUserEventTriggered(event);
    } else {
      Channel channel = ctx.channel();
      wire.seen(channel);
      channel.config().setWriteBufferWaterMark(Mount.WAITING);
      ctx.pipeline().replace(this, null, wire.client(channel));
    }
  }

  private static boolean isHttp2(ChannelPipeline pipeline) {
    return ApplicationProtocolNames.HTTP_2.equals(
        pipeline.get(SslHandler.class).applicationProtocol());
  }

  /**
   * Leaves a client's connection to Vert.x, which makes its handlers of HTTP at once behind TLS.
   *
   * @return where bytes come from that are for them
   */
  static ChannelHandlerContext leaveToVertx(Wire wire, Client client, Channel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    if (wire.plain()) {
      ChannelHandlerContext here = pipeline.context(client);
      pipeline.replace(client, null, new FirstBytes(wire.options()));
      return here;
    }
    ChannelHandlerContext tls = pipeline.context(SslHandler.class);
    pipeline.remove(client);
    tls.fireUserEventTriggered(SslHandshakeCompletionEvent.SUCCESS);
    return tls;
  }

  /** The handler whose way out of the connection passes neither a client nor its TLS. */
  static ChannelHandlerContext beforeTls(Client client, Channel channel) {
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    return tls == null ? channel.pipeline().context(client) : tls;
  }
}
