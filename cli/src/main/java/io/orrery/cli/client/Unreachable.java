package io.orrery.cli.client;

import java.io.IOException;
import javax.net.ssl.SSLException;

/** A failure that says that no server answered at an address. */
public final class Unreachable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofThisHome;

  Unreachable(ServerAddress address, IOException cause) {
    super(
        cause instanceof SSLException
            ? untrusted(address.url(), reason(cause))
            : "no server answers at "
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

  /** The sentence about a server that cannot be spoken with by TLS. */
  public static String untrusted(Object url, String reason) {
    return "no TLS with "
        + url
        + reason
        + "; $SSL_CERT_FILE names a file with the authority's certificate where it is one of your"
        + " own, and the address has to have a name that the certificate is for";
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
