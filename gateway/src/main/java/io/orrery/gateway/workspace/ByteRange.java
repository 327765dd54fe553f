package io.orrery.gateway.workspace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file that a request asks for by {@code Range} (RFC 9110, section 14).
 *
 * @param end after the last byte
 */
record ByteRange(long start, long end) {
  private static final Pattern FORM = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /**
   * Reads the header of one range; another unit, several ranges, or what is none mean the whole.
   *
   * @return null for the whole; empty, with its start at the size, when nothing of it is there
   */
  static @Nullable ByteRange read(@Nullable String header, long size) {
    Matcher form = FORM.matcher(header == null ? "" : header.strip());
    if (!form.matches()) {
      return null;
    }
    String first = form.group(1);
    String last = form.group(2);
    if (first.isEmpty() && last.isEmpty()) {
      return null;
    }
    if (first.isEmpty()) {
      return new ByteRange(Math.max(0, size - Long.parseLong(last)), size);
    }
    long start = Long.parseLong(first);
    long end = last.isEmpty() ? size : Math.min(size, Long.parseLong(last) + 1);
    if (!last.isEmpty() && Long.parseLong(last) < start) {
      return null;
    }
    return start >= size ? new ByteRange(size, size) : new ByteRange(start, end);
  }

  long length() {
    return end - start;
  }
}
