package io.orrery.core.auth;

import io.orrery.core.digest.Sha256;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A secret that stands for its holder: 256 random bits as text that needs no quoting in a header, a
 * shell or a URL. Random tokens need no salt and no slow hash: there is nothing to guess.
 *
 * @param text the secret itself
 */
public record BearerToken(String text) {
  private static final String PREFIX = "orrery_";
  private static final int BYTES = 32;
  private static final String SCHEME = "bearer ";

  /**
   * A new one.
   *
   * @param random must be a cryptographic source
   */
  public static BearerToken random(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new BearerToken(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /**
   * The token that an {@code Authorization} header shows (RFC 6750, section 2.1).
   *
   * @param header null when there is none
   * @return null when it shows none, or something else
   */
  public static @Nullable String shown(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }

  /** SHA-256 of the text's UTF-8 bytes: 32 bytes. */
  public byte[] digest() {
    return Sha256.of(text);
  }

  /** The digest as 64 hexadecimal digits, as it stands in the configuration. */
  public String sha256() {
    return HexFormat.of().formatHex(digest());
  }

  /** Never the secret: a token that gets into a message by accident stays secret. */
  @Override
  public String toString() {
    return "BearerToken[…]";
  }
}
