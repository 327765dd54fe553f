package io.orrery.core.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The digest SHA-256 (FIPS 180-4), which every Java platform must have. Text is digested as UTF-8,
 * and a digest is written in lower-case hexadecimal digits.
 */
public final class Sha256 {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  private Sha256() {}

  /** Whether a text is a digest as it is written: 64 digits in lower case. */
  public static boolean isHex(String text) {
    return HEX.matcher(text).matches();
  }

  /** A digest of what comes piece by piece. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** 32 bytes. */
  public static byte[] of(byte[] content) {
    return begin().digest(content);
  }

  /** 32 bytes. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** 64 digits. */
  public static String hex(byte[] content) {
    return HexFormat.of().formatHex(of(content));
  }

  /** 64 digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }

  /**
   * The beginning of a digest, where names must be short.
   *
   * @param bytes how many of it, 1 to 32; a name has two digits for each
   */
  public static String hex(String text, int bytes) {
    return HexFormat.of().formatHex(of(text), 0, bytes);
  }
}
