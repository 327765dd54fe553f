package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;

/**
 * A handler that breaks the exchange on a connection whose TLS ends without close_notify. An answer
 * without a length would look whole otherwise, though a program between may have cut it (RFC 9112
 * section 9.8).
 */
final class TlsEnd extends ChannelInboundHandlerAdapter {
  private TlsEnd() {}

  /** Watches a connection that Vert.x has opened, if it has TLS. */
  static void watch(Channel channel) {
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    if (tls != null) {
      channel.pipeline().addAfter(tls.name(), null, new TlsEnd());
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent end && !end.isSuccess()) {
      ctx.fireExceptionCaught(
          new SSLException("the endpoint's connection ended without close_notify", end.cause()));
    }
    ctx.fireUserEventTriggered(event);
  }
}
