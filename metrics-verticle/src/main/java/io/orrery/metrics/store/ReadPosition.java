package io.orrery.metrics.store;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cursor of a reader of one attempt: a byte offset in what that attempt reported during a
 * segment. A segment keeps its bytes and their order when it moves into a chunk, so a cursor stays
 * valid.
 *
 * @param offset the first byte that has not been read; a block begins there, or the segment's part
 *     ends
 */
record ReadPosition(int attempt, long segment, int offset) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\.(\\d{1,18})\\.(\\d{1,9})");

  /** Reads what {@link #toString} wrote; Refused when it is not that. */
  static @Nullable ReadPosition parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw unknown().toException();
    }
    return new ReadPosition(
        Integer.parseInt(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        Integer.parseInt(matcher.group(3)));
  }

  /** Whether nothing has been read. */
  boolean isBeginning() {
    return segment == 0 && offset == 0;
  }

  static Problem thinnedOut() {
    return new Problem.Refused(
        new Finding(
            "/since",
            "what comes after 'since' has been thinned out meanwhile: begin again without it"));
  }

  static Problem unknown() {
    return new Problem.Refused(
        new Finding("/since", "'since' is what an earlier answer gave as 'next', or absent"));
  }

  @Override
  public String toString() {
    return attempt + "." + segment + "." + offset;
  }
}
