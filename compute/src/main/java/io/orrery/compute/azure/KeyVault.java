package io.orrery.compute.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.text.Percent;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads secrets of Key Vaults: a token for the application (OAuth 2.0 client credentials, RFC 6749
 * section 4.4), then the secret with it (REST API 7.4). Nothing is kept.
 */
public final class KeyVault {
  private static final String POINTER = "/trainingService/storage/keyVaultName";

  private final AzureCloud cloud;
  private final @Nullable AzureLogin login;

  /**
   * @param login null when the server has none; then nothing can be read
   */
  public KeyVault(AzureCloud cloud, @Nullable AzureLogin login) {
    this.cloud = cloud;
    this.login = login;
  }

  /**
   * The newest version of a secret.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it cannot be had, Busy when trying
   *     again may help
   */
  public String secret(String vault, String name) {
    String wanted = "read the secret '" + name + "' of the Key Vault '" + vault + "'";
    String url =
        cloud.vault().formatted(Percent.encoded(vault))
            + "/secrets/"
            + Percent.encoded(name)
            + "?api-version=7.4";
    HttpResponse<String> response =
        AzureHttp.send(
            AzureHttp.request(url).header("Authorization", "Bearer " + token()).build(), wanted);
    JsonNode value =
        response.statusCode() == 200 ? Json.parse(response.body()).path("value") : null;
    if (value == null || !value.isTextual()) {
      throw AzureHttp.failure(response, wanted, POINTER);
    }
    return value.textValue();
  }

  private String token() {
    if (login == null) {
      throw AzureLogin.missing();
    }
    String wanted = "log in the application " + login.client();
    Map<String, String> form = new TreeMap<>();
    form.put("grant_type", "client_credentials");
    form.put("client_id", login.client());
    form.put("client_secret", login.secret());
    form.put("scope", cloud.vaultScope());
    String body =
        form.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + Percent.encoded(entry.getValue()))
            .collect(Collectors.joining("&"));
    HttpResponse<String> response =
        AzureHttp.send(
            AzureHttp.request(
                    cloud.login() + "/" + Percent.encoded(login.tenant()) + "/oauth2/v2.0/token")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body))
                .build(),
            wanted);
    JsonNode token =
        response.statusCode() == 200 ? Json.parse(response.body()).path("access_token") : null;
    if (token == null || !token.isTextual()) {
      throw AzureHttp.failure(response, wanted, POINTER);
    }
    return token.textValue();
  }
}
