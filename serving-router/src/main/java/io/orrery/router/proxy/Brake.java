package io.orrery.router.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ReferenceCountUtil;
import io.orrery.router.policy.WorkTurns;
import io.orrery.router.route.ClientAddress;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A handler before HTTP/2 that limits what a client can make the router do and hold.
 *
 * <p>It reads nothing more while what was written to the client waits: the windows of HTTP/2 are
 * for bodies only, so heads of answers and acknowledgements would pile up without end.
 *
 * <p>When a connection ends with an error (RFC 9113 section 5.4.1), it closes the streams at once
 * and throws away what still comes; the connection is closed when GOAWAY was taken, or a second
 * later. Netty would wait for the streams, up to 30 s, and Vert.x would tell all of them of the
 * error again with each frame that follows.
 *
 * <p>A connection that was ended for a flood (ENHANCE_YOUR_CALM) stays open for ten seconds,
 * unread: its client would make a new one at once and have another hundred requests run for
 * nothing.
 */
final class Brake extends ChannelDuplexHandler {
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final Duration PENALTY = Duration.ofSeconds(10);

  /** How much of what comes too late is read, so that the end of the connection is seen. */
  private static final int MOST_DISCARDED = 1 << 20;

  private final PacedFrames frames;
  private boolean over;
  private boolean held;
  private int discarded;

  Brake(PacedFrames frames) {
    this.frames = frames;
  }

  /**
   * Watches the connection of a client; called when it opens. Does nothing to one of HTTP/1.
   *
   * @param turns of its event loop
   */
  static void on(HttpConnection connection, WorkTurns turns) {
    if (connection instanceof ConnectionBase base
        && base.channelHandlerContext().handler() instanceof Http2ConnectionHandler http2) {
      Channel channel = base.channel();
      PacedFrames frames =
          new PacedFrames(turns, ClientAddress.ofRemote(channel.remoteAddress()).network());
      GatheredFlushes.on(channel, base.channelHandlerContext());
      channel.pipeline().addBefore(base.channelHandlerContext().name(), null, frames);
      Brake brake = new Brake(frames);
      channel.pipeline().addFirst(brake);
      connection.exceptionHandler(error -> brake.end(channel, http2.connection(), isFlood(error)));
    }
  }

  private static boolean isFlood(Throwable error) {
    return error instanceof Http2Exception broken && broken.error() == Http2Error.ENHANCE_YOUR_CALM;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!over) {
      ctx.fireChannelRead(message);
      return;
    }
    discarded += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
    ReferenceCountUtil.release(message);
    if (discarded > MOST_DISCARDED) {
      ctx.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (!over) {
      ctx.channel().config().setAutoRead(ctx.channel().isWritable() && !frames.waits());
    }
    ctx.fireChannelWritabilityChanged();
  }

  /**
   * Asks for nothing where reading has been switched off: the codec of HTTP/2 would read on by
   * itself, once after each read.
   */
  @Override
  public void read(ChannelHandlerContext ctx) {
    Channel channel = ctx.channel();
    boolean enough = over ? discarded > MOST_DISCARDED : !channel.isWritable();
    if (channel.config().isAutoRead() || !enough) {
      ctx.read();
    }
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (held) {
      ctx.channel().closeFuture().addListener(shut -> promise.trySuccess());
    } else {
      ctx.close(promise);
    }
  }

  void end(Channel channel, Http2Connection connection, boolean flood) {
    if (over) {
      return;
    }
    over = true;
    held = flood;
    frames.end();
    if (!flood) {
      // Its end is seen by reading; frames that waited had that switched off.
      channel.config().setAutoRead(true);
    }
    closeStreams(connection);
    channel
        .eventLoop()
        .schedule(
            () -> close(channel), (flood ? PENALTY : LINGER).toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Past the other handlers, which would wait for what was written to go. */
  private void close(Channel channel) {
    held = false;
    ChannelHandlerContext own = channel.pipeline().context(this);
    if (own != null) {
      own.close(own.newPromise());
    }
  }

  private static void closeStreams(Http2Connection connection) {
    try {
      connection.forEachActiveStream(stream -> {
        stream.close();
        return true;
      });
    } catch (Http2Exception e) {
      throw new IllegalStateException("a stream cannot be closed", e);
    }
  }
}
