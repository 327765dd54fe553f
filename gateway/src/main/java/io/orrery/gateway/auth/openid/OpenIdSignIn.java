package io.orrery.gateway.auth.openid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.openid.FlowTicket.Values;
import io.orrery.gateway.auth.openid.IdTokenCheck.RefusedTokenException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.text.ParseException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flows of signing in at the OpenID provider. Addresses and keys of the provider are cached; a
 * token that is signed with an unknown key makes the keys be asked for again, so that a provider
 * may rotate them. Used on one event loop.
 */
public final class OpenIdSignIn {
  private static final Logger LOG = LoggerFactory.getLogger(OpenIdSignIn.class);
  private static final Duration METADATA_LIFE = Duration.ofHours(1);
  private static final int MOST_CODE = 4_096;
  private static final int MOST_REASON = 300;

  /** Forged tokens do not make us ask for keys more often. */
  private static final Duration KEYS_AGAIN = Duration.ofSeconds(10);

  private final OpenIdConfig config;
  private final ProviderClient client;
  private final FlowTicket tickets;
  private final IdTokenCheck check;
  private final ProfileReader profiles;
  private final Clock clock;

  private @Nullable Future<ProviderMetadata> metadata;
  private long metadataMillis;
  private @Nullable Future<JWKSet> keys;
  private long keysMillis;

  /**
   * A flow that has begun.
   *
   * @param location where the browser goes
   * @param ticket what it brings back
   */
  public record Begun(String location, String ticket) {}

  /**
   * The answer of the provider, as the browser brings it.
   *
   * @param issuer as the answer names it; null when it does not
   * @param error null when there is none
   */
  public record Answer(
      @Nullable String state,
      @Nullable String code,
      @Nullable String issuer,
      @Nullable String error) {
    /** Never the code. */
    @Override
    public String toString() {
      return "Answer[" + error + "]";
    }
  }

  /**
   * @param secret of the servers, which signs tickets
   * @param random a cryptographic source
   */
  public OpenIdSignIn(
      Vertx vertx, OpenIdConfig config, byte[] secret, Clock clock, RandomGenerator random) {
    this.config = config;
    this.client = new ProviderClient(vertx, config);
    this.tickets = new FlowTicket(secret, clock, random);
    this.check = new IdTokenCheck(config.issuer(), config.clientId());
    this.profiles = new ProfileReader(config);
    this.clock = clock;
  }

  /** The provider's name for itself. */
  public String issuer() {
    return config.issuer();
  }

  /** The life of a ticket. */
  public Duration ticketLife() {
    return FlowTicket.LIFE;
  }

  /**
   * Begins a flow.
   *
   * @param redirect the callback, whole
   * @return fails with Unavailable when the provider cannot be reached
   */
  public Future<Begun> begin(String redirect) {
    return metadata()
        .map(provider -> {
          Values flow = tickets.begin(redirect);
          Map<String, String> query = new LinkedHashMap<>();
          query.put("response_type", "code");
          query.put("client_id", config.clientId());
          query.put("redirect_uri", redirect);
          query.put("scope", String.join(" ", config.scopes()));
          query.put("state", flow.state());
          query.put("nonce", flow.nonce());
          query.put("code_challenge", flow.challenge());
          query.put("code_challenge_method", "S256");
          return new Begun(with(provider.authorization(), query), flow.ticket());
        });
  }

  /**
   * Ends a flow: the user, when each check has passed.
   *
   * @param ticket that the browser shows
   * @return fails with Refused when the answer does not belong to the ticket, Unauthorized when the
   *     provider refused or its tokens cannot be believed, Forbidden when its claims give no
   *     account, Unavailable when it cannot be reached
   */
  public Future<OpenIdProfile> end(@Nullable String ticket, Answer answer, String redirect) {
    Values flow = tickets.read(ticket, redirect);
    String state = answer.state();
    if (flow == null || state == null || !FlowTicket.isSame(flow.state(), state)) {
      return Future.failedFuture(
          new Problem.Refused(
                  new Finding(
                      "/state",
                      "this sign-in was not begun in this browser, or has ended: begin again"))
              .toException());
    }
    return metadata().compose(provider -> end(flow, provider, answer, redirect));
  }

  private Future<OpenIdProfile> end(
      Values flow, ProviderMetadata provider, Answer answer, String redirect) {
    String issuer = answer.issuer();
    if (issuer == null ? provider.issuerInAnswer() : !issuer.equals(config.issuer())) {
      return refused("the answer is one of the issuer " + issuer);
    }
    if (answer.error() != null) {
      return refused("it answered " + answer.error().replaceAll("[^a-z_]", ""));
    }
    String code = answer.code();
    if (code == null || code.isEmpty() || code.length() > MOST_CODE) {
      return refused("the answer has no code");
    }
    return client
        .tokens(provider, code, flow.verifier(), redirect)
        .compose(tokens -> claims(tokens, flow, provider))
        .map(claims -> profiles.read(claims.path("sub").asText(), claims));
  }

  private Future<ObjectNode> claims(JsonNode tokens, Values flow, ProviderMetadata provider) {
    return signed(tokens.path("id_token").asText(""), flow.nonce(), provider)
        .compose(claims -> {
          String address = provider.userinfo();
          String access = tokens.path("access_token").asText("");
          if (profiles.isEnough(claims) || address == null || access.isEmpty()) {
            return Future.succeededFuture(claims);
          }
          return client
              .userinfo(address, access)
              .compose(more ->
                  more instanceof ObjectNode further && more.path("sub").equals(claims.path("sub"))
                      ? Future.succeededFuture(claims.<ObjectNode>setAll(further))
                      : refused("its user information is about another subject"));
        });
  }

  private Future<ObjectNode> signed(String text, String nonce, ProviderMetadata provider) {
    try {
      SignedJWT token = IdTokenCheck.parse(text);
      return keysFor(token, provider).compose(set -> checked(token, set, nonce));
    } catch (RefusedTokenException e) {
      return refused("of its ID token " + e.getMessage());
    }
  }

  private Future<ObjectNode> checked(SignedJWT token, JWKSet set, String nonce) {
    try {
      JWTClaimsSet claims = check.claims(token, set, nonce, clock.now());
      return Future.succeededFuture(Json.MAPPER.valueToTree(claims.toJSONObject()));
    } catch (RefusedTokenException e) {
      return refused("of its ID token " + e.getMessage());
    }
  }

  /** The reason stands in the log alone: a foreign page may have sent the browser here. */
  private static <T> Future<T> refused(String reason) {
    String line = reason.replaceAll("\\p{Cntrl}", " ");
    LOG.warn(
        "could not believe the OpenID provider: {}",
        line.substring(0, Math.min(line.length(), MOST_REASON)));
    return Future.failedFuture(
        new Problem.Unauthorized(
                "The answer of the OpenID provider was refused; the server's log says why.")
            .toException());
  }

  // ---- the provider --------------------------------------------------------------------------

  private Future<ProviderMetadata> metadata() {
    Future<ProviderMetadata> known = metadata;
    long now = clock.millis();
    if (known == null
        || known.failed()
        || (known.succeeded() && now - metadataMillis > METADATA_LIFE.toMillis())) {
      known = client.metadata();
      metadata = known;
      metadataMillis = now;
    }
    return known;
  }

  private Future<JWKSet> keysFor(SignedJWT token, ProviderMetadata provider) {
    Future<JWKSet> known = keys == null || keys.failed() ? ask(provider) : keys;
    return known.compose(set ->
        IdTokenCheck.hasKey(token, set) || clock.millis() - keysMillis < KEYS_AGAIN.toMillis()
            ? Future.succeededFuture(set)
            : ask(provider));
  }

  private Future<JWKSet> ask(ProviderMetadata provider) {
    Future<JWKSet> asked =
        client
            .keys(provider)
            .compose(text -> {
              try {
                return Future.succeededFuture(JWKSet.parse(text));
              } catch (ParseException e) {
                return refused("its keys cannot be read");
              }
            });
    keys = asked;
    keysMillis = clock.millis();
    return asked;
  }

  /**
   * The address at which the session at the provider ends, too.
   *
   * @param back where the provider sends the browser afterwards
   * @return null when the provider has no such address, or cannot be reached
   */
  public Future<@Nullable String> endSession(String back) {
    return metadata()
        .map(provider ->
            provider.endSession() == null
                ? null
                : with(
                    provider.endSession(),
                    Map.of("client_id", config.clientId(), "post_logout_redirect_uri", back)))
        .otherwise((String) null);
  }

  private static String with(String address, Map<String, String> query) {
    return address + (address.contains("?") ? "&" : "?") + ProviderClient.encode(query);
  }

  /** Closes the connections to the provider. */
  public void close() {
    client.close();
  }
}
