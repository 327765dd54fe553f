package io.orrery.gateway.auth.openid;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * The registration of this server at an OpenID provider.
 *
 * @param issuer the provider's own name, to the letter
 * @param clientSecret the secret of a confidential client; empty for a public one
 * @param scopes asked for; {@code openid} among them
 * @param userClaim the claim that has the name of the user
 * @param groupsClaim the claim that lists the user's groups
 * @param admins the groups whose members are administrators; empty leaves roles alone
 */
public record OpenIdConfig(
    String issuer,
    String clientId,
    String clientSecret,
    List<String> scopes,
    String userClaim,
    String groupsClaim,
    Set<String> admins) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  public OpenIdConfig {
    scopes = List.copyOf(scopes);
    admins = Set.copyOf(admins);
  }

  /**
   * Whether secrets may be sent to an address: over TLS, or without leaving this machine. So it is
   * with each address that the provider names.
   */
  public static boolean isSafe(String address) {
    try {
      URI uri = new URI(address);
      String host = uri.getHost();
      return host != null
          && uri.getUserInfo() == null
          && uri.getFragment() == null
          && ("https".equals(uri.getScheme())
              || ("http".equals(uri.getScheme()) && LOOPBACK.contains(host)));
    } catch (java.net.URISyntaxException e) {
      return false;
    }
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "OpenIdConfig[" + issuer + ", " + clientId + "]";
  }
}
