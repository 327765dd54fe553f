package io.orrery.router.policy;

/**
 * A connection to an endpoint that is made when it is the turn of the client that needs it.
 *
 * @param connect makes it, unless it is not needed any more
 */
public record Connecting(String client, Runnable connect) implements WorkTurns.Work {
  /** It keeps its place even when not needed any more: its pool counts it until its turn. */
  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public boolean goOn() {
    connect.run();
    return true;
  }
}
