package io.orrery.studio.password;

import io.orrery.core.bus.contract.People;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules for a new password, by NIST SP 800-63B section 5.1.1.2: a least length, a list of
 * passwords that are tried first, nothing that is easily derived from the account; no rule about
 * kinds of characters, no expiry.
 */
public final class PasswordRules {
  /** The fewest characters of a password. */
  public static final int LEAST = 8;

  private static final Set<String> COMMON = common();

  private PasswordRules() {}

  /** Says what is wrong with a new password of an account; empty when it is good. */
  public static Optional<String> fault(String password, String user) {
    String plain = Normalizer.normalize(password, Normalizer.Form.NFKC);
    int characters = plain.codePointCount(0, plain.length());
    String lower = plain.toLowerCase(Locale.ROOT);
    if (characters < LEAST) {
      return Optional.of("a password has at least " + LEAST + " characters");
    }
    if (characters > People.MOST_PASSWORD) {
      return Optional.of("a password has at most " + People.MOST_PASSWORD + " characters");
    }
    if (COMMON.contains(lower) || repeats(lower) || ascends(lower)) {
      return Optional.of(
          "this password is one of those that are tried first; three or four unrelated words are"
              + " better");
    }
    String letters = lower.replaceAll("[^\\p{L}]", "");
    if (lower.equals(user) || letters.equals(user) || letters.equals("orrery")) {
      return Optional.of("a password is not the name of its account or of this product");
    }
    return Optional.empty();
  }

  /** Whether it is one or two characters again and again. */
  private static boolean repeats(String text) {
    return text.chars().distinct().count() <= 2;
  }

  /** Whether each character follows the one before, up or down. */
  private static boolean ascends(String text) {
    boolean up = true;
    boolean down = true;
    for (int i = 1; i < text.length(); i++) {
      int step = text.charAt(i) - text.charAt(i - 1);
      up &= step == 1;
      down &= step == -1;
    }
    return up || down;
  }

  private static Set<String> common() {
    try (InputStream in = PasswordRules.class.getResourceAsStream("common-passwords.txt")) {
      if (in == null) {
        throw new IllegalStateException("no list of common passwords beside the rules");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
