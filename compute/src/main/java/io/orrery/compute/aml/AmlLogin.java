package io.orrery.compute.aml;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.azure.AzureLogin;
import io.orrery.compute.batch.Refusal;
import io.orrery.compute.batch.Rest;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Rest.Request;
import io.orrery.core.text.Percent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens for Azure Resource Manager: of an application with a secret of its own (OAuth 2.0 client
 * credentials, RFC 6749 section 4.4), or of the managed identity of the machine that the server
 * runs on. Asked for again shortly before one runs out.
 */
final class AmlLogin {
  /** A token is not used in the last minutes of its life: clocks differ, and answers take time. */
  private static final Duration MARGIN = Duration.ofMinutes(5);

  private final Places places;
  private final @Nullable AzureLogin application;
  private final Map<String, String> environment;
  private final InstantSource clock;
  private @Nullable Token token;

  /**
   * The addresses of the services, without trailing slashes.
   *
   * @param login the identity service
   * @param management Azure Resource Manager
   * @param metadata what tells a machine of Azure about itself
   */
  record Places(String login, String management, String metadata) {
    /** Those of the cloud that the server's environment names. */
    static Places of(Map<String, String> environment) {
      String login = AzureCloud.of(environment).login();
      String management =
          login.endsWith(".cn")
              ? "https://management.chinacloudapi.cn"
              : login.endsWith(".us")
                  ? "https://management.usgovcloudapi.net"
                  : "https://management.azure.com";
      return new Places(login, management, "http://169.254.169.254");
    }
  }

  private record Token(String text, Instant until) {}

  /**
   * @param environment the server's
   */
  AmlLogin(Places places, Map<String, String> environment, InstantSource clock) {
    this.places = places;
    this.application = AzureLogin.of(environment);
    this.environment = Map.copyOf(environment);
    this.clock = clock;
  }

  Places places() {
    return places;
  }

  /** Who logs in, for people. */
  String who() {
    return application == null
        ? "the managed identity of this machine"
        : "the application " + application.client();
  }

  /** A token that is good for a while. Blocks; one caller asks for all. */
  synchronized String token(Rest rest) {
    Token known = token;
    if (known != null && clock.instant().isBefore(known.until().minus(MARGIN))) {
      return known.text();
    }
    AzureLogin login = application;
    String wanted = "log in " + who();
    Answer answer = rest.send(login == null ? identity() : credentials(login));
    Refusal refusal =
        new Refusal(
            login == null ? "Azure's metadata service" : "Azure at " + places.login(),
            AmlSettings.AT + "/subscriptionId",
            login == null ? List.of() : List.of(login.secret()));
    if (!answer.isGood()) {
      throw refusal.ofLogin(answer, wanted);
    }
    JsonNode json = answer.json();
    JsonNode text = json.path("access_token");
    // A number from the one service, text from the other.
    long seconds = json.path("expires_in").asLong();
    if (!text.isTextual() || seconds <= 0) {
      throw refusal.strange(wanted, "no token");
    }
    Token fresh = new Token(text.textValue(), clock.instant().plusSeconds(seconds));
    token = fresh;
    return fresh.text();
  }

  /** A token was refused before its time. */
  synchronized void forget() {
    token = null;
  }

  private Request credentials(AzureLogin login) {
    String form =
        "grant_type=client_credentials&client_id="
            + Percent.encoded(login.client())
            + "&client_secret="
            + Percent.encoded(login.secret())
            + "&scope="
            + Percent.encoded(places.management() + "/.default");
    return new Request(
        "POST",
        places.login() + "/" + Percent.encoded(login.tenant()) + "/oauth2/v2.0/token",
        Map.of("Content-Type", "application/x-www-form-urlencoded"),
        form);
  }

  private Request identity() {
    String resource = "resource=" + Percent.encoded(places.management() + "/");
    String client = environment.getOrDefault("AZURE_CLIENT_ID", "");
    String whose = client.isEmpty() ? "" : "&client_id=" + Percent.encoded(client);
    String endpoint = environment.getOrDefault("IDENTITY_ENDPOINT", "");
    if (!endpoint.isEmpty()) {
      return Request.of("GET", endpoint + "?api-version=2019-08-01&" + resource + whose)
          .with("X-IDENTITY-HEADER", environment.getOrDefault("IDENTITY_HEADER", ""));
    }
    return Request.of(
            "GET",
            places.metadata()
                + "/metadata/identity/oauth2/token?api-version=2018-02-01&"
                + resource
                + whose)
        .with("Metadata", "true");
  }
}
