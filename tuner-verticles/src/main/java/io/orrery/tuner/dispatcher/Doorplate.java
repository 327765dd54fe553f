package io.orrery.tuner.dispatcher;

import java.net.URI;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The address at which dispatchers connect.
 *
 * @param server the server's address as processes of this machine reach it
 * @param random makes the secrets that open it: a cryptographic source
 */
public record Doorplate(URI server, RandomGenerator random) {
  private static final int SECRET_BYTES = 16;

  /** A secret that no other process has, and that may stand in an address. */
  public String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The address for a dispatcher that has the secret. */
  public String url(String secret) {
    String scheme = "https".equals(server.getScheme()) ? "wss://" : "ws://";
    return scheme + server.getAuthority() + "/tuner/" + secret;
  }
}
