package io.orrery.gateway.http;

import io.vertx.core.http.HttpConnection;

/** A group of routes of the edge. It runs on the edge's event loop only. */
public interface Api {
  /** Adds the routes; called once, before the first request. */
  void mount(ApiRouter router);

  /**
   * A client has connected.
   *
   * @param used says that the connection is in use, for requests that do not come to the routes
   */
  default void opened(HttpConnection connection, Runnable used) {}

  /** The edge listens; a part that wants ports of its own may open them from now on. */
  default void listening(Listeners listeners) {}

  /** The server goes down: answers what still waits or streams. Called once, and must not block. */
  default void close() {}
}
