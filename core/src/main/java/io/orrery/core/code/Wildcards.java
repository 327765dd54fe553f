package io.orrery.core.code;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * A pattern with wildcards as git matches paths: {@code ?} and {@code *} stop at a slash, {@code
 * **} between slashes does not, brackets hold sets, ranges and POSIX classes, a backslash takes the
 * next character as it is. What failed once is not tried again, so that no pattern takes more than
 * its length times the square of the text's.
 */
final class Wildcards {
  private final byte[] pattern;

  Wildcards(byte[] pattern) {
    this.pattern = pattern;
  }

  boolean match(byte[] text) {
    return new Run(text).from(0, 0);
  }

  private final class Run {
    private final byte[] text;
    private final BitSet failed = new BitSet();

    /** Behind the bracket that was just looked at. */
    private int afterBracket;

    Run(byte[] text) {
      this.text = text;
    }

    boolean from(int patternStart, int textStart) {
      int p = patternStart;
      int t = textStart;
      while (p < pattern.length) {
        byte c = pattern[p];
        if (c == '*') {
          return star(p, t);
        }
        if (t == text.length) {
          return false;
        }
        boolean fits =
            switch (c) {
              case '?' -> text[t] != '/';
              case '[' -> bracket(p, text[t]);
              case '\\' -> p + 1 < pattern.length && pattern[p + 1] == text[t];
              default -> c == text[t];
            };
        if (!fits) {
          return false;
        }
        p = c == '[' ? afterBracket : c == '\\' ? p + 2 : p + 1;
        t++;
      }
      return t == text.length;
    }

    private boolean star(int start, int t) {
      int key = start * (text.length + 1) + t;
      if (failed.get(key)) {
        return false;
      }
      int p = start;
      while (p < pattern.length && pattern[p] == '*') {
        p++;
      }
      boolean two = p - start > 1;
      boolean acrossSlashes =
          two
              && (start == 0 || pattern[start - 1] == '/')
              && (p == pattern.length || pattern[p] == '/' || isEscapedSlash(p));
      if (acrossSlashes && p < pattern.length && pattern[p] == '/' && from(p + 1, t)) {
        return true;
      }
      for (int end = t; end <= text.length; end++) {
        if (from(p, end)) {
          return true;
        }
        if (end < text.length && text[end] == '/' && !acrossSlashes) {
          break;
        }
      }
      failed.set(key);
      return false;
    }

    private boolean isEscapedSlash(int p) {
      return p + 1 < pattern.length && pattern[p] == '\\' && pattern[p + 1] == '/';
    }

    /** Whether a set has a byte in it; sets where it ends. One that does not end has none. */
    private boolean bracket(int open, byte given) {
      int c = given & 0xff;
      int p = open + 1;
      boolean negated = p < pattern.length && (pattern[p] == '!' || pattern[p] == '^');
      if (negated) {
        p++;
      }
      boolean found = false;
      int before = 0;
      boolean first = true;
      while (first || at(p) != ']') {
        first = false;
        int member = at(p);
        if (member == 0) {
          return false;
        }
        if (member == '\\') {
          member = at(++p);
          if (member == 0) {
            return false;
          }
          found |= c == member;
        } else if (member == '-' && before != 0 && at(p + 1) != 0 && at(p + 1) != ']') {
          int last = at(++p);
          if (last == '\\') {
            last = at(++p);
            if (last == 0) {
              return false;
            }
          }
          found |= c <= last && c >= before;
          member = 0;
        } else if (member == '[' && at(p + 1) == ':') {
          int close = p + 2;
          while (at(close) != 0 && at(close) != ']') {
            close++;
          }
          if (at(close) == 0) {
            return false;
          }
          if (close - p < 3 || at(close - 1) != ':') {
            found |= c == '[';
          } else {
            String name = new String(pattern, p + 2, close - p - 3, StandardCharsets.ISO_8859_1);
            if (!isKnown(name)) {
              return false;
            }
            found |= isOf(name, c);
            p = close;
            member = 0;
          }
        } else {
          found |= c == member;
        }
        before = member;
        p++;
      }
      afterBracket = p + 1;
      return found != negated && c != '/';
    }

    private int at(int p) {
      return p < pattern.length ? pattern[p] & 0xff : 0;
    }
  }

  private static boolean isKnown(String name) {
    return switch (name) {
      case "alnum", "alpha", "blank", "cntrl", "digit", "graph" -> true;
      case "lower", "print", "punct", "space", "upper", "xdigit" -> true;
      default -> false;
    };
  }

  /** The classes of POSIX in the C locale. */
  private static boolean isOf(String name, int c) {
    boolean digit = c >= '0' && c <= '9';
    boolean lower = c >= 'a' && c <= 'z';
    boolean upper = c >= 'A' && c <= 'Z';
    boolean graph = c > ' ' && c < 127;
    return switch (name) {
      case "alnum" -> digit || lower || upper;
      case "alpha" -> lower || upper;
      case "blank" -> c == ' ' || c == '\t';
      case "cntrl" -> c < ' ' || c == 127;
      case "digit" -> digit;
      case "graph" -> graph;
      case "lower" -> lower;
      case "print" -> graph || c == ' ';
      case "punct" -> graph && !digit && !lower && !upper;
      case "space" -> c == ' ' || (c >= '\t' && c <= '\r');
      case "upper" -> upper;
      default -> digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
  }
}
