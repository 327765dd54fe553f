package io.orrery.orchestrator.alert;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A receiver of alerts: the value of a secret, which is an address and, after white space, the key
 * of signatures. Without a key the address is the key.
 *
 * <p>Requests are signed as Standard Webhooks says.
 *
 * @param host without brackets
 * @param target path and query
 */
record Webhook(boolean tls, String host, int port, String target, byte[] key) {
  private static final String ENCODED = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";

  /** Reads the value of a secret; empty when it has no address. */
  static Optional<Webhook> read(String value) {
    String[] parts = value.strip().split("\\s+", 2);
    try {
      URI address = new URI(new URI(parts[0]).toASCIIString());
      String scheme = address.getScheme();
      String host = address.getHost();
      boolean tls = "https".equalsIgnoreCase(scheme);
      boolean known = tls || "http".equalsIgnoreCase(scheme);
      if (!known || host == null || address.getRawUserInfo() != null || address.getPort() > 65535) {
        return Optional.empty();
      }
      String path = address.getRawPath();
      String query = address.getRawQuery();
      int usual = tls ? 443 : 80;
      return Optional.of(
          new Webhook(
              tls,
              host.replaceAll("[\\[\\]]", ""),
              address.getPort() < 0 ? usual : address.getPort(),
              (path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query),
              key(parts[parts.length - 1])));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static byte[] key(String text) {
    if (text.startsWith(ENCODED)) {
      try {
        byte[] decoded = Base64.getDecoder().decode(text.substring(ENCODED.length()));
        if (decoded.length > 0) {
          return decoded;
        }
      } catch (IllegalArgumentException e) {
        // It only looks like one.
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The signature of a body, which covers the name of the alert and the time as well. */
  String signature(String id, Instant at, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      byte[] signed =
          "%s.%d.%s".formatted(id, at.getEpochSecond(), body).getBytes(StandardCharsets.UTF_8);
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
    }
  }

  /** Nothing of the secret. */
  @Override
  public String toString() {
    return "Webhook[]";
  }
}
