package io.orrery.gateway.metric.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The head of a POST, in two halves: what stands before the digits of its Content-Length, and
 * behind them.
 */
final class PostHead {
  /** No head, or not one that repeats this one. */
  static final int NONE = -1;

  private static final byte[] LINE_END = {'\r', '\n'};
  private static final byte[] END = {'\r', '\n', '\r', '\n'};
  private static final int MOST_DIGITS = 8;

  /** With one of these the same head may mean another thing, or the body comes in another form. */
  private static final Set<String> NEVER_REPEATED =
      Set.of(
          "content-encoding", "cookie", "expect", "te", "trailer", "transfer-encoding", "upgrade");

  private final byte[] before;
  private final byte[] after;
  private final int bodyLength;

  private PostHead(byte[] before, byte[] after, int bodyLength) {
    this.before = before;
    this.after = after;
    this.bodyLength = bodyLength;
  }

  /**
   * Reads a head that begins with the line of a request.
   *
   * @param end as {@link #end} gives it
   * @return null when it is not so plain that the same bytes always mean the same
   */
  static @Nullable PostHead read(byte[] bytes, int requestLine, int end) {
    int from = NONE;
    int to = NONE;
    for (int at = requestLine; at < end - LINE_END.length; ) {
      int lineEnd = indexOf(LINE_END, bytes, at, end);
      int colon = colon(bytes, at, lineEnd);
      if (colon == NONE) {
        return null;
      }
      String name = new String(bytes, at, colon - at, StandardCharsets.US_ASCII);
      String value = new String(bytes, colon + 1, lineEnd - colon - 1, StandardCharsets.ISO_8859_1);
      switch (name.toLowerCase(Locale.ROOT)) {
        case "content-length" -> {
          if (from != NONE || !value.matches(" ?[0-9]{1," + MOST_DIGITS + "}")) {
            return null;
          }
          from = value.startsWith(" ") ? colon + 2 : colon + 1;
          to = lineEnd;
        }
        case "connection" -> {
          if (!value.strip().equalsIgnoreCase("keep-alive")) {
            return null;
          }
        }
        case String other -> {
          if (NEVER_REPEATED.contains(other)) {
            return null;
          }
        }
      }
      at = lineEnd + LINE_END.length;
    }
    return from == NONE
        ? null
        : new PostHead(
            Arrays.copyOf(bytes, from),
            Arrays.copyOfRange(bytes, to, end),
            number(bytes, from, to));
  }

  /** Where the name of a field ends; {@link #NONE} in a line that is not a field's. */
  private static int colon(byte[] bytes, int from, int to) {
    int colon = NONE;
    for (int at = from; at < to; at++) {
      byte c = bytes[at];
      if (colon == NONE && c == ':' && at > from) {
        colon = at;
      } else if (colon == NONE ? !isNameCharacter(c) : c == '\r' || c == '\n' || c == 0) {
        return NONE;
      }
    }
    return colon;
  }

  private static boolean isNameCharacter(byte c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }

  /** Of the request that was read. */
  int bodyLength() {
    return bodyLength;
  }

  /**
   * Where a head ends.
   *
   * @return the place behind its empty line; {@link #NONE} when it is not all there
   */
  static int end(byte[] bytes, int length) {
    int end = indexOf(END, bytes, 0, length);
    return end == length ? NONE : end + END.length;
  }

  /**
   * Whether some bytes begin with this head, whatever its length of a body.
   *
   * @return the place behind the head; {@link #NONE} when they do not, or are too few to say
   */
  int repeated(byte[] bytes, int length) {
    if (length < before.length
        || !Arrays.equals(bytes, 0, before.length, before, 0, before.length)) {
      return NONE;
    }
    int to = before.length;
    while (to < length
        && to < before.length + MOST_DIGITS
        && bytes[to] >= '0'
        && bytes[to] <= '9') {
      to++;
    }
    int end = to + after.length;
    return to > before.length
            && end <= length
            && Arrays.equals(bytes, to, end, after, 0, after.length)
        ? end
        : NONE;
  }

  /** The length of the body that follows, in bytes that repeat this head up to a place. */
  int bodyLength(byte[] bytes, int end) {
    return number(bytes, before.length, end - after.length);
  }

  private static int number(byte[] bytes, int from, int to) {
    int number = 0;
    for (int at = from; at < to; at++) {
      number = 10 * number + bytes[at] - '0';
    }
    return number;
  }

  /** The first place of some bytes; {@code to} when they are nowhere. */
  private static int indexOf(byte[] wanted, byte[] bytes, int from, int to) {
    for (int at = from; at <= to - wanted.length; at++) {
      if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return to;
  }
}
