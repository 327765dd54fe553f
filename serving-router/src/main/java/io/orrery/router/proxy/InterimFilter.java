package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Set;

/**
 * A filter for the heads that an endpoint of HTTP/1.1 sends before its answer. Vert.x takes one
 * with a status of 1xx that it does not know (102, for instance) for the answer itself; those are
 * left out.
 */
final class InterimFilter extends ChannelInboundHandlerAdapter {
  private static final Set<HttpResponseStatus> KNOWN =
      Set.of(
          HttpResponseStatus.CONTINUE,
          HttpResponseStatus.SWITCHING_PROTOCOLS,
          HttpResponseStatus.EARLY_HINTS);

  private boolean skipping;

  private InterimFilter() {}

  /** Filters what comes over a connection that Vert.x has opened. */
  static void on(Channel channel) {
    channel
        .pipeline()
        .addBefore(channel.pipeline().lastContext().name(), null, new InterimFilter());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpResponse response) {
      skipping =
          response.status().codeClass() == HttpStatusClass.INFORMATIONAL
              && !KNOWN.contains(response.status());
    }
    if (!skipping) {
      ctx.fireChannelRead(message);
      return;
    }
    skipping = !(message instanceof LastHttpContent);
    ReferenceCountUtil.release(message);
  }
}
