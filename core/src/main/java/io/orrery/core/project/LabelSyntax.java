package io.orrery.core.project;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of names and labels of Kubernetes ("Object Names and IDs" and "Labels and Selectors"
 * of its documentation), and of host names (RFC 1123).
 */
final class LabelSyntax {
  private static final int MOST_SUBDOMAIN = 253;
  private static final int MOST_PART = 63;
  private static final Pattern PART = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private LabelSyntax() {}

  /** Says whether a text is a DNS subdomain, the form of the name of a claim or a secret. */
  static boolean isSubdomain(String text) {
    if (text.length() > MOST_SUBDOMAIN) {
      return false;
    }
    for (String part : text.split("\\.", -1)) {
      if (!PART.matcher(part).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Says whether a text is a host name in small letters; four numbers are an address, not one. */
  static boolean isHostName(String text) {
    if (!isSubdomain(text)) {
      return false;
    }
    String[] parts = text.split("\\.", -1);
    for (String part : parts) {
      if (part.length() > MOST_PART) {
        return false;
      }
    }
    return !DIGITS.matcher(parts[parts.length - 1]).matches();
  }

  /** Says whether a text is the value of a label with at least one character. */
  static boolean isValue(String text) {
    return text.length() <= MOST_PART && NAME.matcher(text).matches();
  }

  /** Says what is wrong with the value of a label, which may be empty; null when nothing is. */
  static @Nullable String valueFault(String text) {
    return text.isEmpty() || isValue(text)
        ? null
        : Characters.quoted(text)
            + " is not a label value: at most 63 letters, digits, '-', '_' and '.', with a letter or"
            + " digit at both ends";
  }

  /** Says what is wrong with the key of a label; null when nothing is. */
  static @Nullable String keyFault(String text) {
    int slash = text.indexOf('/');
    if (slash >= 0 && !isSubdomain(text.substring(0, slash))) {
      return "the part before '/' of the label key %s must be a DNS name, as in example.com/zone"
          .formatted(Characters.quoted(text));
    }
    return isValue(text.substring(slash + 1))
        ? null
        : Characters.quoted(text)
            + " is not a label key: at most 63 letters, digits, '-', '_' and '.', with a letter or"
            + " digit at both ends, and perhaps a DNS name and '/' before them";
  }
}
