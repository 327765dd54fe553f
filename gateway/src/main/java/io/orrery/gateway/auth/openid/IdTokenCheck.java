package io.orrery.gateway.auth.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks ID tokens (OpenID Connect Core 1.0, 3.1.3.7): signed with a key of the provider's, by an
 * algorithm with two keys, for this client, in this flow, now. Pure.
 */
final class IdTokenCheck {
  /** No {@code none}, and no HMAC: its key would be the client's secret. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  /** The most by which the clocks of provider and server may differ. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  private static final Duration OLDEST = Duration.ofMinutes(10);
  private static final int MOST_CHARACTERS = 64 << 10;
  private static final int MOST_KEYS_TRIED = 8;

  private final String issuer;
  private final String clientId;

  IdTokenCheck(String issuer, String clientId) {
    this.issuer = issuer;
    this.clientId = clientId;
  }

  /** An ID token that cannot be believed, with the reason for the log. */
  static final class RefusedTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedTokenException(String reason) {
      super(reason);
    }
  }

  /** Parses a token, and looks at nothing but its form and algorithm. */
  static SignedJWT parse(String text) throws RefusedTokenException {
    try {
      if (text.length() > MOST_CHARACTERS) {
        throw new RefusedTokenException("it is too long");
      }
      SignedJWT token = SignedJWT.parse(text);
      if (!ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
        throw new RefusedTokenException("its algorithm is " + token.getHeader().getAlgorithm());
      }
      return token;
    } catch (ParseException e) {
      throw new RefusedTokenException("it is no signed token");
    }
  }

  /** Whether a set has a key that the token may be signed with. */
  static boolean hasKey(SignedJWT token, JWKSet keys) {
    return !candidates(token, keys).isEmpty();
  }

  private static List<JWK> candidates(SignedJWT token, JWKSet keys) {
    return new JWKSelector(JWKMatcher.forJWSHeader(token.getHeader())).select(keys);
  }

  /** The claims of a token that passes each check. */
  JWTClaimsSet claims(SignedJWT token, JWKSet keys, String nonce, Instant now)
      throws RefusedTokenException {
    if (!isSigned(token, keys)) {
      throw new RefusedTokenException("no key of the provider's fits its signature");
    }
    try {
      JWTClaimsSet claims = token.getJWTClaimsSet();
      String fault = fault(claims, nonce, now);
      if (fault != null) {
        throw new RefusedTokenException(fault);
      }
      return claims;
    } catch (ParseException e) {
      throw new RefusedTokenException("its claims cannot be read");
    }
  }

  private static boolean isSigned(SignedJWT token, JWKSet keys) {
    return candidates(token, keys).stream()
        .limit(MOST_KEYS_TRIED)
        .anyMatch(key -> {
          try {
            if (!(key instanceof AsymmetricJWK asymmetric)) {
              return false;
            }
            JWSVerifier verifier =
                new DefaultJWSVerifierFactory()
                    .createJWSVerifier(token.getHeader(), asymmetric.toPublicKey());
            return token.verify(verifier);
          } catch (JOSEException e) {
            return false;
          }
        });
  }

  private @Nullable String fault(JWTClaimsSet claims, String nonce, Instant now)
      throws ParseException {
    List<String> audience = claims.getAudience();
    String party = claims.getStringClaim("azp");
    Date ends = claims.getExpirationTime();
    Date issued = claims.getIssueTime();
    Date from = claims.getNotBeforeTime();
    String shown = claims.getStringClaim("nonce");
    if (!issuer.equals(claims.getIssuer())) {
      return "its issuer is " + claims.getIssuer();
    }
    if (!audience.contains(clientId)
        || (party == null ? audience.size() > 1 : !party.equals(clientId))) {
      return "it is for another client";
    }
    if (shown == null || !FlowTicket.isSame(nonce, shown)) {
      return "its nonce is not the one of this sign-in";
    }
    if (ends == null || !now.isBefore(ends.toInstant().plus(SKEW))) {
      return "it has ended";
    }
    if (issued == null
        || issued.toInstant().isAfter(now.plus(SKEW))
        || issued.toInstant().isBefore(now.minus(OLDEST))
        || (from != null && from.toInstant().isAfter(now.plus(SKEW)))) {
      return "it was not issued now";
    }
    String subject = claims.getSubject();
    return subject == null || subject.isEmpty() || subject.length() > 255
        ? "its subject is missing or too long"
        : null;
  }
}
