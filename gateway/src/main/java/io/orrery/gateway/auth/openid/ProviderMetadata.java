package io.orrery.gateway.auth.openid;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a provider, as its discovery document has them (OpenID Connect Discovery 1.0).
 *
 * @param userinfo null when there is none
 * @param endSession where a session at the provider is ended; null when there is no such place
 * @param issuerInAnswer whether each answer names its issuer (RFC 9207)
 * @param secretInBody whether the client's secret is sent in the body, since no header is taken
 */
record ProviderMetadata(
    String authorization,
    String token,
    String keys,
    @Nullable String userinfo,
    @Nullable String endSession,
    boolean issuerInAnswer,
    boolean secretInBody) {
  /**
   * Reads a document.
   *
   * @throws io.orrery.core.problem.ProblemException Broken when it is another issuer's, or names an
   *     address that secrets may not be sent to
   */
  static ProviderMetadata read(JsonNode json, String issuer) {
    String named = json.path("issuer").asText("");
    if (!named.equals(issuer)) {
      throw broken("it is the one of the issuer '%s', not of '%s'".formatted(named, issuer));
    }
    List<String> methods =
        json.path("token_endpoint_auth_methods_supported")
            .valueStream()
            .map(JsonNode::asText)
            .toList();
    return new ProviderMetadata(
        address(json, "authorization_endpoint"),
        address(json, "token_endpoint"),
        address(json, "jwks_uri"),
        json.hasNonNull("userinfo_endpoint") ? address(json, "userinfo_endpoint") : null,
        json.hasNonNull("end_session_endpoint") ? address(json, "end_session_endpoint") : null,
        json.path("authorization_response_iss_parameter_supported").asBoolean(false),
        !methods.isEmpty()
            && !methods.contains("client_secret_basic")
            && methods.contains("client_secret_post"));
  }

  private static String address(JsonNode json, String key) {
    String address = json.path(key).asText("");
    if (!OpenIdConfig.isSafe(address)) {
      throw broken(key + " is '" + address + "', which is no https address");
    }
    return address;
  }

  private static RuntimeException broken(String fault) {
    return new Problem.Broken("The discovery document of the OpenID provider is wrong: " + fault)
        .toException();
  }
}
