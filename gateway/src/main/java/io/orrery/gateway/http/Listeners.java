package io.orrery.gateway.http;

import io.vertx.core.Future;

/**
 * Ports besides the product's own, at the same address and with the same limits; everything is
 * served there, too. A part may tell by a request's local port what its sender means.
 */
public interface Listeners {
  /** The product's own port. */
  int own();

  /** Binds a port, 1 to 65535; fails with Conflict when another program has it. */
  Future<Void> open(int port);

  /** Fails as {@link #open} would; the port is let go at once. */
  Future<Void> probe(int port);

  /** Lets a port go; no failure when it is not open. Its connections may end what they began. */
  Future<Void> close(int port);
}
