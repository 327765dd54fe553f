package io.orrery.gateway.channel;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A release of NNI, as far as its version check looks: manager and keeper must agree in both
 * numbers. NNI's own check reads one digit of each, and so takes 2.10 for 2.1.
 */
record NniVersion(int major, int minor) {
  private static final Pattern FORM = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(?:\\.\\d+)*");

  /** The first release whose manager checks its keepers. */
  private static final NniVersion CHECKED = new NniVersion(0, 6);

  /** All versions that a text names, in their order. */
  static List<NniVersion> in(String text) {
    return FORM.matcher(text).results().map(NniVersion::of).toList();
  }

  private static NniVersion of(MatchResult found) {
    return new NniVersion(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)));
  }

  /** Whether a manager of this version works with a keeper of that one. */
  boolean accepts(NniVersion keeper) {
    boolean checks = major > CHECKED.major || (major == CHECKED.major && minor >= CHECKED.minor);
    return !checks || equals(keeper);
  }
}
