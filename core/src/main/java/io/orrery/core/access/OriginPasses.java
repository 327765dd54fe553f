package io.orrery.core.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tickets and passes of guarded origins, and the tokens that workloads know, all derived from
 * the secret of a server by HMAC-SHA256 (RFC 2104). A ticket or pass is {@code <expiry>.<mac>}: the
 * second of its end, and a mac over its kind, audience, epoch and expiry. So both are checked
 * without a table, and a raised epoch ends all of an audience. Thread safe.
 */
public final class OriginPasses {
  /** The life of a ticket. */
  public static final Duration TICKET = Duration.ofSeconds(60);

  /** The life of a pass. */
  public static final Duration PASS = Duration.ofHours(12);

  private static final String ALGORITHM = "HmacSHA256";
  private static final int LEAST_SECRET_BYTES = 16;
  private static final int MOST_CHARACTERS = 80;
  private static final String EXPIRY = "[1-9][0-9]{0,11}";

  /** Knows the key, and is never fed itself. */
  private final Mac keyed;

  /**
   * @param secret of the server, at least 16 bytes
   */
  public OriginPasses(byte[] secret) {
    if (secret.length < LEAST_SECRET_BYTES) {
      throw new IllegalArgumentException("a secret has at least " + LEAST_SECRET_BYTES + " bytes");
    }
    this.keyed = keyed(mac(keyed(secret), "orrery guarded origins"));
  }

  /** Passes of an unknown secret: no ticket and no pass of any server is right. */
  public static OriginPasses unknown() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return new OriginPasses(secret);
  }

  private static Mac keyed(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static byte[] mac(Mac keyed, String text) {
    try {
      return ((Mac) keyed.clone()).doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(ALGORITHM + " of this Java platform cannot be copied", e);
    }
  }

  /** A ticket, which can stand in a query as it is. */
  public String ticket(String audience, long epoch, Instant now) {
    return made("ticket", audience, epoch, now.plus(TICKET).getEpochSecond());
  }

  /** Whether a text is a ticket that is still good. */
  public boolean isTicket(String text, String audience, long epoch, Instant now) {
    return isGood("ticket", text, audience, epoch, now);
  }

  /** A pass, which can be the value of a cookie as it is. */
  public String pass(String audience, long epoch, Instant now) {
    return made("pass", audience, epoch, now.plus(PASS).getEpochSecond());
  }

  /** Whether a text is a pass that is still good. */
  public boolean isPass(String text, String audience, long epoch, Instant now) {
    return isGood("pass", text, audience, epoch, now);
  }

  private String made(String kind, String audience, long epoch, long expiry) {
    byte[] mac = mac(keyed, kind + "\n" + audience + "\n" + epoch + "\n" + expiry);
    return expiry + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
  }

  private boolean isGood(String kind, String text, String audience, long epoch, Instant now) {
    int dot = text.indexOf('.');
    if (dot < 0 || text.length() > MOST_CHARACTERS || !text.substring(0, dot).matches(EXPIRY)) {
      return false;
    }
    long expiry = Long.parseLong(text.substring(0, dot));
    return now.getEpochSecond() < expiry
        && MessageDigest.isEqual(bytes(made(kind, audience, epoch, expiry)), bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The token with which a pod fetches an archive of files: 64 hexadecimal digits. It is good for
   * as long as the secret: what it opens does not change.
   *
   * @param archive its name, such as {@code code/<digest>}
   */
  public String filesToken(String archive) {
    return HexFormat.of().formatHex(mac(keyed, "files\n" + archive));
  }

  /** Whether a text is the token of an archive. */
  public boolean isFilesToken(String text, String archive) {
    return MessageDigest.isEqual(bytes(filesToken(archive)), bytes(text));
  }

  /**
   * The token of a workload: 64 hexadecimal digits.
   *
   * @param service the id of its service in the route table
   */
  public String token(String service) {
    return HexFormat.of().formatHex(mac(keyed, "token\n" + service));
  }
}
