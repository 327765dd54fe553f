package io.orrery.gateway.auth.openid;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.check.CheckResult;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Checks an OpenID provider as far as that goes without a person: its discovery document and its
 * keys. It signs no person in, and sends no secret. Blocks, for seconds at most.
 */
public final class ProviderCheck {
  private static final String NAME = "OpenID provider";
  private static final long PATIENCE_SECONDS = 12;

  private ProviderCheck() {}

  /** The outcome. */
  public static CheckResult of(Vertx vertx, OpenIdConfig config) {
    ProviderClient client = new ProviderClient(vertx, config);
    String asked = "the discovery document " + ProviderClient.discovery(config);
    try {
      ProviderMetadata provider = client.metadata().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      asked = "the keys at " + provider.keys();
      int keys = keys(client.keys(provider).await(PATIENCE_SECONDS, TimeUnit.SECONDS));
      return keys == 0
          ? CheckResult.failed(
              NAME, asked + " are none, so no sign-in can be verified", "check the provider")
          : CheckResult.ok(NAME, "%s answers, with %d keys".formatted(config.issuer(), keys));
    } catch (TimeoutException e) {
      return CheckResult.failed(NAME, asked + " did not come in time", network());
    } catch (ProblemException e) {
      return failed(asked, e);
    } finally {
      client.close();
    }
  }

  private static int keys(String set) {
    JsonNode keys = Json.parse(set).path("keys");
    return keys.isArray() ? keys.size() : 0;
  }

  private static CheckResult failed(String asked, ProblemException failure) {
    Throwable cause = failure.getCause();
    if (cause == null) { // of the document itself
      return CheckResult.failed(
          NAME,
          asked + ": " + failure.problem().detail(),
          "name the issuer in auth.openId.issuer to the letter, as that document has it");
    }
    String found = asked + " could not be had: " + cause.getMessage();
    if (isOfTls(cause)) {
      return CheckResult.failed(
          NAME,
          found,
          "name a PEM file with the authority of its certificate in $SSL_CERT_FILE, for the server"
              + " too");
    }
    return CheckResult.failed(NAME, found, network());
  }

  private static boolean isOfTls(@Nullable Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SSLException) {
        return true;
      }
    }
    return false;
  }

  private static String network() {
    return "check auth.openId.issuer, the provider and the network to it";
  }
}
