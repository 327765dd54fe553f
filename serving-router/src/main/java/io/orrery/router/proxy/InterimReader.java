package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.MultiMap;
import java.util.Map;

/**
 * A reader of the heads that an endpoint sends before its answer (1xx, RFC 9110 section 15.2). They
 * are kept from Vert.x, which knows 100 and 103 alone and takes any other for the answer itself.
 * 101 ends the exchange, and passes.
 */
final class InterimReader {
  /** Hears of them. */
  interface Listener {
    /**
     * A head came before an answer.
     *
     * @param stream of HTTP/2; 0 in HTTP/1.1
     */
    void interim(int stream, int status, MultiMap fields);
  }

  private InterimReader() {}

  /** Reads a connection that Vert.x has opened, before its first request. */
  static void on(Channel channel, Listener listener) {
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null) {
      channel
          .pipeline()
          .addBefore(channel.pipeline().lastContext().name(), null, new Messages(listener));
    } else {
      http2.decoder().frameListener(new Frames(http2.decoder().frameListener(), listener));
    }
  }

  private static boolean isInterim(HttpResponseStatus status) {
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && !status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
  }

  private static MultiMap fields(
      Iterable<? extends Map.Entry<? extends CharSequence, ? extends CharSequence>> all) {
    MultiMap fields = MultiMap.caseInsensitiveMultiMap();
    for (Map.Entry<? extends CharSequence, ? extends CharSequence> field : all) {
      if (!Http2Headers.PseudoHeaderName.hasPseudoHeaderFormat(field.getKey())) {
        fields.add(field.getKey(), field.getValue());
      }
    }
    return fields;
  }

  private static final class Messages extends ChannelInboundHandlerAdapter {
    private final Listener listener;
    private boolean skipping;

    Messages(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpResponse response && response.decoderResult().isSuccess()) {
        skipping = isInterim(response.status());
        if (skipping) {
          listener.interim(0, response.status().code(), fields(response.headers()));
        }
      }
      if (!skipping) {
        ctx.fireChannelRead(message);
        return;
      }
      skipping = !(message instanceof LastHttpContent);
      ReferenceCountUtil.release(message);
    }
  }

  private static final class Frames extends Http2FrameListenerDecorator {
    private final Listener interims;

    Frames(Http2FrameListener vertx, Listener interims) {
      super(vertx);
      this.interims = interims;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end)
        throws Http2Exception {
      if (!isTaken(stream, headers)) {
        super.onHeadersRead(ctx, stream, headers, padding, end);
      }
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
      if (!isTaken(stream, headers)) {
        super.onHeadersRead(ctx, stream, headers, dependency, weight, exclusive, padding, end);
      }
    }

    /** Trailers have no status. */
    private boolean isTaken(int stream, Http2Headers headers) {
      if (headers.status() == null) {
        return false;
      }
      HttpResponseStatus status = HttpResponseStatus.parseLine(headers.status());
      if (!isInterim(status)) {
        return false;
      }
      interims.interim(stream, status.code(), fields(headers));
      return true;
    }
  }
}
