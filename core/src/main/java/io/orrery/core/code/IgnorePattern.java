package io.orrery.core.code;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A line of an ignore file, with the meaning that it has for git (gitignore(5)); the same bytes
 * match, however odd the pattern. Names are compared as UTF-8, byte by byte, as git does.
 */
final class IgnorePattern {
  /** Where a pattern begins to be more than plain text. */
  private static final String SPECIAL = "*?[\\";

  private final byte[] prefix;
  private final Wildcards rest;
  private final boolean negated;
  private final boolean directoriesOnly;
  private final boolean anchored;

  private IgnorePattern(
      byte[] prefix, Wildcards rest, boolean negated, boolean directoriesOnly, boolean anchored) {
    this.prefix = prefix;
    this.rest = rest;
    this.negated = negated;
    this.directoriesOnly = directoriesOnly;
    this.anchored = anchored;
  }

  /** The pattern of a line without its end; null when it says nothing. */
  static @Nullable IgnorePattern of(String line) {
    if (line.startsWith("#")) {
      return null;
    }
    String text = withoutTrailingSpaces(line);
    if (text.isEmpty()) {
      return null;
    }
    boolean negated = text.startsWith("!");
    if (negated) {
      text = text.substring(1);
    }
    boolean directoriesOnly = text.endsWith("/");
    if (directoriesOnly) {
      text = text.substring(0, text.length() - 1);
    }
    boolean anchored = text.indexOf('/') >= 0;
    if (anchored && text.startsWith("/")) {
      text = text.substring(1);
    }
    int plain = 0;
    while (plain < text.length() && SPECIAL.indexOf(text.charAt(plain)) < 0) {
      plain++;
    }
    // A path is compared up to the first special character, and matched from there on: so what
    // follows stands at the beginning of a pattern, which matters for two stars.
    int cut = anchored ? plain : 0;
    return new IgnorePattern(
        bytes(text.substring(0, cut)),
        new Wildcards(bytes(text.substring(cut))),
        negated,
        directoriesOnly,
        anchored);
  }

  /** Whether a match means that the path is kept. */
  boolean negated() {
    return negated;
  }

  /**
   * @param path below the directory of the ignore file, with {@code /} between names
   */
  boolean matches(String path, boolean directory) {
    if (directoriesOnly && !directory) {
      return false;
    }
    byte[] name = bytes(anchored ? path : path.substring(path.lastIndexOf('/') + 1));
    return name.length >= prefix.length
        && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length)
        && rest.match(Arrays.copyOfRange(name, prefix.length, name.length));
  }

  /** Spaces at the end mean nothing, unless a backslash stands before them. */
  private static String withoutTrailingSpaces(String line) {
    int end = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && i + 1 < line.length()) {
        i++;
        end = i + 1;
      } else if (c != ' ') {
        end = i + 1;
      }
    }
    return line.substring(0, end);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
