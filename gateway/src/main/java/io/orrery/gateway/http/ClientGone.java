package io.orrery.gateway.http;

/**
 * A failure that says that the client went away, or stopped reading or writing for good: no answer
 * can reach it.
 */
public final class ClientGone extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClientGone() {
    super("the client is gone", null, false, false);
  }
}
