package io.orrery.cli.client;

import java.io.IOException;

/** A failure that says that no server answered at an address. */
public final class Unreachable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofThisHome;

  Unreachable(ServerAddress address, IOException cause) {
    super(
        "no server answers at "
            + address.url()
            + " ("
            + address.source().words()
            + reason(cause)
            + "); start one with `orrery up`",
        cause);
    this.ofThisHome =
        switch (address.source()) {
          case FILE, DEFAULT -> true;
          case OPTION, ENVIRONMENT, LOGIN -> false;
        };
  }

  /** Whether no other server than the one of the home was named. */
  public boolean isOfThisHome() {
    return ofThisHome;
  }

  private static String reason(IOException cause) {
    String message = cause.getMessage();
    return message == null ? "" : ": " + message;
  }
}
