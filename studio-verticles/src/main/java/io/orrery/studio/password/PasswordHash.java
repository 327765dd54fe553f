package io.orrery.studio.password;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * The Argon2id hash of a password (RFC 9106) as a PHC string: {@code
 * $argon2id$v=19$m=19456,t=2,p=1$salt$hash}. The parameters are those that OWASP recommends; a
 * stored string keeps its own, so they can be raised later.
 *
 * <p>The characters of a password are normalised first (NFKC, as NIST SP 800-63B has it), so that
 * it does not matter how a keyboard composes them.
 */
final class PasswordHash {
  private static final int KIBIBYTES = 19_456;
  private static final int PASSES = 2;
  private static final int LANES = 1;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;

  /** What a stored string may ask of us: more would be a way to stop the server. */
  private static final int MOST_KIBIBYTES = 1 << 18;

  private static final int MOST_PASSES = 16;

  private static final Pattern PHC =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=(\\d{1,6}),t=(\\d{1,2}),p=(\\d)\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

  /**
   * The hash of no password, checked where there is no account: it takes the time of another one,
   * so that an answer does not tell whether the account exists.
   */
  static final String OF_NONE =
      "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
          .formatted(KIBIBYTES, PASSES, LANES, "A".repeat(22), "A".repeat(43));

  private PasswordHash() {}

  /**
   * Hashes a password with a new salt. Takes tens of milliseconds of processor time.
   *
   * @param random must be a cryptographic source
   */
  static String of(String password, RandomGenerator random) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    byte[] hash = argon2(password, salt, KIBIBYTES, PASSES, LANES, HASH_BYTES);
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
        .formatted(
            KIBIBYTES, PASSES, LANES, base64.encodeToString(salt), base64.encodeToString(hash));
  }

  /** Whether a password is the one of a stored string; false for a string of another form. */
  static boolean matches(String password, String stored) {
    Matcher phc = PHC.matcher(stored);
    if (!phc.matches()) {
      return false;
    }
    int kibibytes = Integer.parseInt(phc.group(1));
    int passes = Integer.parseInt(phc.group(2));
    int lanes = Integer.parseInt(phc.group(3));
    if (kibibytes > MOST_KIBIBYTES || passes < 1 || passes > MOST_PASSES || lanes < 1) {
      return false;
    }
    byte[] salt = Base64.getDecoder().decode(phc.group(4));
    byte[] hash = Base64.getDecoder().decode(phc.group(5));
    return MessageDigest.isEqual(
        hash, argon2(password, salt, kibibytes, passes, lanes, hash.length));
  }

  private static byte[] argon2(
      String password, byte[] salt, int kibibytes, int passes, int lanes, int length) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(kibibytes)
            .withIterations(passes)
            .withParallelism(lanes)
            .withSalt(salt)
            .build());
    byte[] hash = new byte[length];
    generator.generateBytes(
        Normalizer.normalize(password, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8),
        hash);
    return hash;
  }
}
