package io.orrery.gateway.http;

/**
 * Some routes of the edge that belong together. Lives on the edge's event loop and nowhere else.
 */
public interface Api {
  /** Adds the routes; called once, before the first request. */
  void mount(ApiRouter router);

  /** The server goes down: answers what still waits or streams. Called once, and must not block. */
  default void close() {}
}
