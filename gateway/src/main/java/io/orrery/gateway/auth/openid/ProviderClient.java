package io.orrery.gateway.auth.openid;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP client of the provider: few connections, a time and a size for each answer, no
 * redirects. Each future fails with Unavailable when the provider cannot be reached, and with
 * Unauthorized when it refuses; failures name no secret.
 */
final class ProviderClient {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderClient.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LATER = Duration.ofSeconds(5);
  private static final int CONNECTIONS = 4;
  private static final int MOST_WAITING = 100;
  private static final int MOST_BYTES = 1 << 20;
  private static final String DISCOVERY = "/.well-known/openid-configuration";

  private final Vertx vertx;
  private final OpenIdConfig config;
  private @Nullable HttpClient client;

  ProviderClient(Vertx vertx, OpenIdConfig config) {
    this.vertx = vertx;
    this.config = config;
  }

  Future<ProviderMetadata> metadata() {
    return json(get(discovery(config)), "discovery")
        .map(json -> ProviderMetadata.read(json, config.issuer()));
  }

  /** The address of the discovery document. */
  static String discovery(OpenIdConfig config) {
    return config.issuer().replaceAll("/$", "") + DISCOVERY;
  }

  /** The provider's present keys, as the text of a JWK set. */
  Future<String> keys(ProviderMetadata provider) {
    return json(get(provider.keys()), "keys").map(JsonNode::toString);
  }

  /** The claims that an access token opens. */
  Future<JsonNode> userinfo(String address, String accessToken) {
    RequestOptions request = get(address);
    request.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + accessToken);
    return json(request, "user information");
  }

  /** Exchanges a code for tokens. */
  Future<JsonNode> tokens(
      ProviderMetadata provider, String code, String verifier, String redirect) {
    Map<String, String> form =
        Map.of(
            "grant_type", "authorization_code",
            "code", code,
            "redirect_uri", redirect,
            "code_verifier", verifier);
    RequestOptions request = request(HttpMethod.POST, provider.token());
    request.putHeader(HttpHeaders.CONTENT_TYPE, "application/x-www-form-urlencoded");
    String body = encode(form);
    if (config.clientSecret().isEmpty()) {
      body += "&" + encode(Map.of("client_id", config.clientId()));
    } else if (provider.secretInBody()) {
      body +=
          "&"
              + encode(
                  Map.of("client_id", config.clientId(), "client_secret", config.clientSecret()));
    } else {
      // Both parts are encoded as in a form first (RFC 6749, 2.3.1).
      String both = encode(config.clientId()) + ":" + encode(config.clientSecret());
      request.putHeader(
          HttpHeaders.AUTHORIZATION,
          "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }
    return json(request, body, "tokens");
  }

  static String encode(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private RequestOptions get(String address) {
    return request(HttpMethod.GET, address);
  }

  private static RequestOptions request(HttpMethod method, String address) {
    return new RequestOptions()
        .setMethod(method)
        .setAbsoluteURI(address)
        .setFollowRedirects(false)
        .setConnectTimeout(PATIENCE.toMillis())
        .setTimeout(PATIENCE.toMillis())
        .putHeader(HttpHeaders.ACCEPT, "application/json");
  }

  private Future<JsonNode> json(RequestOptions request, String what) {
    return json(request, "", what);
  }

  private Future<JsonNode> json(RequestOptions request, String body, String what) {
    return client()
        .request(request)
        .compose(asked -> {
          Future<JsonNode> answer = asked.response().compose(response -> read(response, what));
          return asked.send(Buffer.buffer(body)).compose(sent -> answer);
        })
        .recover(failure ->
            failure instanceof ProblemException
                ? Future.failedFuture(failure)
                : Future.failedFuture(
                    unreachable(what, String.valueOf(failure.getMessage()), failure)));
  }

  private static Future<JsonNode> read(HttpClientResponse response, String what) {
    Buffer body = Buffer.buffer();
    response.handler(piece -> {
      if (body.length() + piece.length() > MOST_BYTES) {
        response.request().reset();
      } else {
        body.appendBuffer(piece);
      }
    });
    return response
        .end()
        .map(ended -> {
          int status = response.statusCode();
          if (status >= 500) {
            throw unreachable(what, "status " + status, null);
          }
          if (status != 200) {
            LOG.warn("could not get {} of the OpenID provider: status {}", what, status);
            throw new ProblemException(
                new Problem.Unauthorized("The OpenID provider refused: sign in again."),
                new IOException("status " + status));
          }
          try {
            return Json.parse(body.toString());
          } catch (ProblemException e) {
            throw unreachable(what, "no JSON in its answer", e);
          }
        });
  }

  private static RuntimeException unreachable(
      String what, String reason, @Nullable Throwable cause) {
    LOG.warn("could not get {} of the OpenID provider: {}", what, reason);
    return new ProblemException(
        new Problem.Unavailable("The OpenID provider cannot be asked for its " + what + ".", LATER),
        new IOException(reason, cause));
  }

  private HttpClient client() {
    HttpClient known = client;
    if (known == null) {
      known =
          vertx.createHttpClient(
              new HttpClientOptions().setIdleTimeout((int) PATIENCE.toSeconds() * 2),
              new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(MOST_WAITING));
      client = known;
    }
    return known;
  }

  void close() {
    if (client != null) {
      client.close();
    }
  }
}
