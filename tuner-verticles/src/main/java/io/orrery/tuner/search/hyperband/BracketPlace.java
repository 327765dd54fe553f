package io.orrery.tuner.search.hyperband;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a trial, which its parameter id says in full: NNI's {@code
 * <iteration>-<s>_<round>_<configuration>}. So a tuner that is rebuilt reads its whole state off
 * the ids of the past.
 *
 * @param iteration how often all brackets had been begun before, from 0
 * @param s the bracket's number
 * @param round how often the configuration was promoted
 * @param configuration the number of the suggestion that it was first, the same in all rounds
 */
record BracketPlace(long iteration, int s, int round, long configuration) {
  private static final Pattern ID =
      Pattern.compile("(\\d{1,15})-(\\d{1,3})_(\\d{1,3})_(\\d{1,18})");

  String id() {
    return iteration + "-" + s + "_" + round + "_" + configuration;
  }

  /** The place that an id names; null when it is the id of something else. */
  static @Nullable BracketPlace of(@Nullable String id) {
    Matcher parts = ID.matcher(id == null ? "" : id);
    return parts.matches()
        ? new BracketPlace(
            Long.parseLong(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Integer.parseInt(parts.group(3)),
            Long.parseLong(parts.group(4)))
        : null;
  }
}
