package io.orrery.router.proxy;

/** A failure that says that a verticle was given the event loop of another one of the router. */
public final class EventLoopTakenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  EventLoopTakenException() {
    super("the event loop has a verticle of the router already");
  }
}
