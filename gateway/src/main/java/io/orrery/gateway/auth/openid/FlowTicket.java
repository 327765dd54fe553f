package io.orrery.gateway.auth.openid;

import io.orrery.core.time.Clock;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes and reads the tickets of flows that are under way: {@code <expiry>.<seed>.<mac>}, the value
 * of a cookie. State, nonce and code verifier are made from the seed by HMAC-SHA256 with a key that
 * only servers have, so that no table is kept, a ticket tells none of them, and none of them fits
 * another ticket or another callback.
 */
final class FlowTicket {
  /** The time that a user may take at the provider. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final String ALGORITHM = "HmacSHA256";
  private static final int SEED_BYTES = 24;
  private static final String FORM = "[1-9][0-9]{9,11}\\.[A-Za-z0-9_-]{32}\\.[A-Za-z0-9_-]{43}";

  private final byte[] secret;
  private final Clock clock;
  private final RandomGenerator random;

  /**
   * The values of a flow.
   *
   * @param ticket the value of the cookie
   * @param verifier of PKCE (RFC 7636)
   */
  record Values(String ticket, String state, String nonce, String verifier) {
    /** The challenge that belongs to the verifier, by the method S256. */
    String challenge() {
      try {
        return base64(
            MessageDigest.getInstance("SHA-256")
                .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }

    /** None of the values. */
    @Override
    public String toString() {
      return "Values[…]";
    }
  }

  /**
   * @param secret of the servers
   * @param random a cryptographic source
   */
  FlowTicket(byte[] secret, Clock clock, RandomGenerator random) {
    this.secret = secret.clone();
    this.clock = clock;
    this.random = random;
  }

  /** A new flow that ends at a callback. */
  Values begin(String redirect) {
    byte[] seed = new byte[SEED_BYTES];
    random.nextBytes(seed);
    long expiry = clock.now().plus(LIFE).getEpochSecond();
    return of(expiry + "." + base64(seed), redirect);
  }

  /** The values of a ticket; null when it was not made here for that callback, or has ended. */
  @Nullable Values read(@Nullable String ticket, String redirect) {
    if (ticket == null || !ticket.matches(FORM)) {
      return null;
    }
    Values known = of(ticket.substring(0, ticket.lastIndexOf('.')), redirect);
    long expiry = Long.parseLong(ticket.substring(0, ticket.indexOf('.')));
    return isSame(known.ticket(), ticket) && clock.now().getEpochSecond() < expiry ? known : null;
  }

  /** Compares secrets in a time that tells nothing of them. */
  static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private Values of(String head, String redirect) {
    String about = head + "\n" + redirect;
    return new Values(
        head + "." + mac("ticket", about),
        mac("state", about),
        mac("nonce", about),
        mac("verifier", about));
  }

  private String mac(String kind, String about) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return base64(
          mac.doFinal(("orrery openid " + kind + "\n" + about).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
