package io.orrery.cli.client;

import java.io.IOException;

/** No server answered at an address. */
public final class Unreachable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unreachable(ServerAddress address, IOException cause) {
    super(
        "no server answers at "
            + address.url()
            + " ("
            + address.source().words()
            + reason(cause)
            + "); start one with `orrery up`",
        cause);
  }

  private static String reason(IOException cause) {
    String message = cause.getMessage();
    return message == null ? "" : ": " + message;
  }
}
