package io.orrery.core.code;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A state of a repository at an address, and the login that it may ask for.
 *
 * @param url of {@code https} or {@code http}, without a user, query or fragment
 * @param ref a branch, a tag or a whole commit
 * @param login null for none
 * @param loginKeys how a document gives a login, for a reason that asks for one
 */
public record GitRemote(URI url, String ref, @Nullable Login login, String loginKeys) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /**
   * The value of an Authorization header (RFC 7617).
   *
   * @param header is a secret
   */
  public record Login(String header) {
    /** The login of a user with a password or a token. */
    public static Login of(String user, String password) {
      byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
      return new Login("Basic " + Base64.getEncoder().encodeToString(both));
    }

    /** Nothing of it. */
    @Override
    public String toString() {
      return "Login";
    }
  }

  /** The port that is connected to. */
  int port() {
    if (url.getPort() > 0) {
      return url.getPort();
    }
    return isSealed() ? HTTPS_PORT : HTTP_PORT;
  }

  /** Whether the connection is sealed by TLS. */
  boolean isSealed() {
    return "https".equals(url.getScheme());
  }
}
