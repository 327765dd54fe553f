package io.orrery.gateway.http;

/**
 * Some routes of the edge that belong together. Lives on the edge's event loop and nowhere else.
 */
public interface Api {
  /** Adds the routes; called once, before the first request. */
  void mount(ApiRouter router);

  /** The edge listens; a part that wants ports of its own may open them from now on. */
  default void listening(Listeners listeners) {}

  /** The server goes down: answers what still waits or streams. Called once, and must not block. */
  default void close() {}
}
