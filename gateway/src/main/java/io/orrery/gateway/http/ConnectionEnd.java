package io.orrery.gateway.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * The end of a connection. Vert.x calls the close handler of a connection no more once it has
 * become a WebSocket, and there is one such handler only.
 */
public final class ConnectionEnd {
  private ConnectionEnd() {}

  /**
   * Runs something on the event loop of a connection when it has been closed, for whatever reason.
   */
  public static void on(HttpConnection connection, Runnable ended) {
    if (connection instanceof ConnectionBase base) {
      base.closeFuture().onComplete(closed -> ended.run());
    } else {
      connection.closeHandler(closed -> ended.run());
    }
  }
}
