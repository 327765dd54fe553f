package io.orrery.gateway.http;

/** The client went away, or stopped reading or writing for good: there is nobody to tell. */
public final class ClientGone extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClientGone() {
    super("the client is gone", null, false, false);
  }
}
