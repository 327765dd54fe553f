package io.orrery.gateway.metric.wire;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import org.jspecify.annotations.Nullable;

/**
 * The place where the bytes of a connection pass before Vert.x reads them, behind TLS if there is
 * any. This class alone touches what Vert.x does not promise: the channel of a connection, and the
 * context in which its handlers run.
 */
final class PipelineAnchor {
  private final ConnectionBase connection;
  private final ChannelHandlerContext decoder;

  private PipelineAnchor(ConnectionBase connection, ChannelHandlerContext decoder) {
    this.connection = connection;
    this.decoder = decoder;
  }

  /**
   * The place before a decoder.
   *
   * @return null when the connection has none of this type, as in HTTP/2
   */
  static @Nullable PipelineAnchor of(
      HttpConnection connection, Class<? extends ChannelHandler> type) {
    if (connection instanceof ConnectionBase base) {
      ChannelHandlerContext decoder = base.channel().pipeline().context(type);
      return decoder == null ? null : new PipelineAnchor(base, decoder);
    }
    return null;
  }

  void put(ChannelHandler handler) {
    decoder.pipeline().addBefore(decoder.name(), null, handler);
  }

  /** What was put into a connection; null when nothing was, or it has gone. */
  static <T extends ChannelHandler> @Nullable T find(HttpConnection connection, Class<T> type) {
    return connection instanceof ConnectionBase base ? base.channel().pipeline().get(type) : null;
  }

  /** Runs something as Vert.x runs its handlers: timers and answers come back to this thread. */
  void run(Runnable task) {
    connection.context().dispatch(task);
  }
}
