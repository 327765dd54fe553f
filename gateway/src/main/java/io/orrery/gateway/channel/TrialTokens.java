package io.orrery.gateway.channel;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens that open one attempt's channel: {@code <experiment>.<trial>.<attempt>.<mac>}, where
 * the mac is HMAC-SHA256 over the three names under the server's secret. So a token can be made
 * again after a restart and checked without a table. Safe for use by several threads.
 */
public final class TrialTokens {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String BASIC = "Basic ";
  private static final int LEAST_SECRET_BYTES = 16;
  private static final int MOST_CHARACTERS = 160;

  /** Knows the secret, and is never fed itself: to look for the algorithm takes longer than it. */
  private final Mac keyed;

  /**
   * @param secret of this server, the same after a restart; at least 16 bytes, 32 random ones are
   *     right
   */
  public TrialTokens(byte[] secret) {
    if (secret.length < LEAST_SECRET_BYTES) {
      throw new IllegalArgumentException("a secret has at least " + LEAST_SECRET_BYTES + " bytes");
    }
    try {
      this.keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** The token of an attempt; can stand in a URL as it is. */
  public String of(AttemptRef attempt) {
    TrialRef trial = attempt.trial();
    String names = trial.experiment() + "/" + trial.trial() + "/" + attempt.number();
    return names.replace('/', '.') + "." + mac(names);
  }

  /**
   * The attempt that a token opens; empty when we did not make it. Takes the same time however much
   * of a forged one is right.
   */
  public Optional<AttemptRef> open(String token) {
    String[] parts = token.split("\\.", -1);
    if (token.length() > MOST_CHARACTERS
        || parts.length != 4
        || !ExperimentId.valid(parts[0])
        || !TrialId.valid(parts[1])
        || !parts[2].matches("[1-9][0-9]{0,8}")) {
      return Optional.empty();
    }
    TrialRef trial = new TrialRef(new ExperimentId(parts[0]), new TrialId(parts[1]));
    AttemptRef attempt = new AttemptRef(trial, Integer.parseInt(parts[2]));
    return MessageDigest.isEqual(bytes(of(attempt)), bytes(token))
        ? Optional.of(attempt)
        : Optional.empty();
  }

  /**
   * The attempt whose token a request shows, as {@code Authorization: Bearer} or as the password of
   * {@code Basic}, which is all that a URL can carry; empty when none.
   */
  public Optional<AttemptRef> shown(MultiMap headers) {
    String header = headers.get(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Optional.empty();
    }
    String token = BearerToken.shown(header);
    if (token != null) {
      return open(token);
    }
    return header.regionMatches(true, 0, BASIC, 0, BASIC.length())
        ? password(header.substring(BASIC.length()).strip()).flatMap(this::open)
        : Optional.empty();
  }

  private static Optional<String> password(String pair) {
    try {
      String text = new String(Base64.getDecoder().decode(pair), StandardCharsets.UTF_8);
      int colon = text.indexOf(':');
      return colon < 0 ? Optional.empty() : Optional.of(text.substring(colon + 1));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  private String mac(String names) {
    try {
      Mac mac = (Mac) keyed.clone();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(bytes(names)));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("that of every Java platform can be copied", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
