package io.orrery.tuner.dispatcher;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first two numbers of a version; both 0 where there are none. */
record Version(int major, int minor) {
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})(?:\\.(\\d{1,6}))?.*");

  static Version of(String text) {
    Matcher matcher = NUMBERS.matcher(text);
    if (!matcher.matches()) {
      return new Version(0, 0);
    }
    String minor = matcher.group(2);
    return new Version(
        Integer.parseInt(matcher.group(1)), minor == null ? 0 : Integer.parseInt(minor));
  }

  boolean atLeast(int otherMajor, int otherMinor) {
    return major > otherMajor || (major == otherMajor && minor >= otherMinor);
  }
}
