package io.orrery.gateway.auth.openid;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID provider that signs all users in without asking, and whose answers a test changes. It
 * checks what a provider has to: client, redirect address, code and PKCE.
 */
final class OwnProvider implements AutoCloseable {
  static final String CLIENT = "orrery";
  static final String SECRET = "client secret/+&";

  private final HttpServer http;
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private final Instant now;
  private volatile RSAKey key;

  /** The keys that are published; those that sign, unless a test takes them away. */
  volatile List<RSAKey> published;

  volatile Map<String, Object> discovery = Map.of();
  volatile Map<String, Object> userinfo = Map.of();
  volatile UnaryOperator<JWTClaimsSet.Builder> claims = it -> it;
  volatile @Nullable String idToken;
  volatile int keyRequests;

  OwnProvider(Instant now) throws Exception {
    this.now = now;
    this.key = fresh("first");
    this.published = List.of(key);
    this.http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    http.createContext("/.well-known/openid-configuration", it -> answer(it, document()));
    http.createContext("/keys", this::keys);
    http.createContext("/token", this::token);
    http.createContext("/me", it -> answer(it, userinfo));
    http.start();
  }

  private static RSAKey fresh(String id) throws JOSEException {
    return new RSAKeyGenerator(2048).keyID(id).generate();
  }

  String issuer() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Signs with a new key from now on, which is published. */
  void rotate() throws JOSEException {
    key = fresh("second");
    published = List.of(key);
  }

  private Map<String, Object> document() {
    Map<String, Object> document = new HashMap<>();
    document.put("issuer", issuer());
    document.put("authorization_endpoint", issuer() + "/authorize");
    document.put("token_endpoint", issuer() + "/token");
    document.put("jwks_uri", issuer() + "/keys");
    document.put("userinfo_endpoint", issuer() + "/me");
    document.put("end_session_endpoint", issuer() + "/out");
    document.put("authorization_response_iss_parameter_supported", true);
    document.putAll(discovery);
    return document;
  }

  private void keys(HttpExchange exchange) throws IOException {
    keyRequests++;
    answer(exchange, new JWKSet(List.copyOf(published)).toJSONObject());
  }

  /** The parameters that the browser brings back from the address that it was sent to. */
  Map<String, String> authorize(String location) {
    Map<String, String> asked = query(URI.create(location).getRawQuery());
    String code = "code" + codes.size();
    codes.put(code, asked);
    return new HashMap<>(Map.of("code", code, "state", asked.get("state"), "iss", issuer()));
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> form = query(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    Map<String, String> asked = codes.remove(form.get("code"));
    String both =
        new String(
            Base64.getDecoder()
                .decode(
                    exchange.getRequestHeaders().getFirst("Authorization").replace("Basic ", "")),
            UTF_8);
    String[] client = both.split(":");
    if (asked == null
        || !URLDecoder.decode(client[0], UTF_8).equals(CLIENT)
        || !URLDecoder.decode(client[1], UTF_8).equals(SECRET)
        || !asked.get("redirect_uri").equals(form.get("redirect_uri"))
        || !asked.get("code_challenge_method").equals("S256")
        || !asked.get("code_challenge").equals(challenge(form.get("code_verifier")))) {
      exchange.sendResponseHeaders(400, -1);
      exchange.close();
      return;
    }
    String token = idToken;
    answer(
        exchange,
        Map.of(
            "access_token",
            "access",
            "token_type",
            "Bearer",
            "id_token",
            token == null ? signed(asked.get("nonce")) : token));
  }

  JWTClaimsSet claims(String nonce) {
    return claims
        .apply(
            new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("7")
                .audience(CLIENT)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)))
                .claim("nonce", nonce)
                .claim("preferred_username", "Ann.Smith@example.com")
                .claim("name", "Ann Smith")
                .claim("groups", List.of("staff", "ml-admins")))
        .build();
  }

  private String signed(String nonce) {
    try {
      SignedJWT token =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
              claims(nonce));
      token.sign(new RSASSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A token that names no algorithm. */
  String unsigned(String nonce) {
    return new PlainJWT(claims(nonce)).serialize();
  }

  /** A token that is signed with what each client knows: the public key, taken for a shared one. */
  String signedWithThePublicKey(String nonce) throws JOSEException {
    SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims(nonce));
    token.sign(new MACSigner(key.toPublicKey().getEncoded()));
    return token.serialize();
  }

  /** The nonce that a browser was sent with. */
  static String nonce(String location) {
    return query(URI.create(location).getRawQuery()).get("nonce");
  }

  private static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static Map<String, String> query(String text) {
    Map<String, String> fields = new TreeMap<>();
    for (String field : text.split("&")) {
      String[] parts = field.split("=", 2);
      fields.put(URLDecoder.decode(parts[0], UTF_8), URLDecoder.decode(parts[1], UTF_8));
    }
    return fields;
  }

  private static void answer(HttpExchange exchange, Map<String, Object> json) throws IOException {
    byte[] body = Json.write(json).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
