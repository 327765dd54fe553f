package io.orrery.router.wire;

import static io.orrery.core.http.HeadLimits.MOST_FIELDS;

import java.util.ArrayList;
import java.util.List;

/**
 * The head of a message: where its lines stand in an array of bytes. It is read in one pass, and
 * only what is written in the strictest form of RFC 9112 is understood: CRLF at the end of every
 * line, a token and a colon at the beginning, no folding, nothing invisible. Reused for one head
 * after the other; what it says holds until the next is read.
 */
abstract class MessageHead {
  /** Not at its end yet. */
  static final int INCOMPLETE = -1;

  /** Not understood. */
  static final int ODD = -2;

  /** Longer heads are not understood. */
  static final int MOST_BYTES = 64 * 1024;

  /** Of each field: where it begins, its name ends, its value begins and ends, and the next is. */
  private static final int PLACES = 5;

  byte[] bytes = new byte[0];
  private final int[] places = new int[MOST_FIELDS * PLACES];
  private final FieldName[] names = new FieldName[MOST_FIELDS];
  private final boolean[] stays = new boolean[MOST_FIELDS];
  private int count;
  private int linesFrom;
  private int excess;
  private int end;

  /**
   * Reads a head.
   *
   * @param head holds it, and perhaps more, in {@code [0, length)}
   * @return where the body begins, {@link #INCOMPLETE} or {@link #ODD}
   */
  final int read(byte[] head, int length) {
    bytes = head;
    count = 0;
    excess = 0;
    int at = firstLine(length);
    if (at < 0) {
      return at;
    }
    linesFrom = at;
    int body = fields(at, length);
    this.end = body;
    return body < 0 || understood() ? body : ODD;
  }

  /** The place of the first field that is more than a head may have; 0 when there is none. */
  final int excess() {
    return excess;
  }

  /** Where the body begins. */
  final int end() {
    return end;
  }

  /** Reads the first line; where the next begins, INCOMPLETE or ODD. */
  abstract int firstLine(int end);

  /** Makes sense of the fields; whether there is only one way to. */
  abstract boolean understood();

  /** Whether a value may have a character. */
  abstract boolean mayHold(byte character);

  private int fields(int from, int end) {
    byte[] b = bytes;
    int at = from;
    while (true) {
      int start = at;
      while (at < end && Ascii.isToken(b[at])) {
        at++;
      }
      if (at == end) {
        return INCOMPLETE;
      }
      if (at == start) {
        return lineEnd(at, end);
      }
      if (b[at] != ':') {
        return ODD;
      }
      if (count == MOST_FIELDS) {
        excess = start;
        return ODD;
      }
      int nameEnd = at++;
      while (at < end && (b[at] == ' ' || b[at] == '\t')) {
        at++;
      }
      int value = at;
      while (at < end && mayHold(b[at])) {
        at++;
      }
      int next = lineEnd(at, end);
      if (next < 0) {
        return next;
      }
      int valueEnd = at;
      while (valueEnd > value && (b[valueEnd - 1] == ' ' || b[valueEnd - 1] == '\t')) {
        valueEnd--;
      }
      add(start, nameEnd, value, valueEnd, next);
      at = next;
    }
  }

  /** After the CRLF that must stand here; INCOMPLETE or ODD. */
  final int lineEnd(int at, int end) {
    if (at >= end) {
      return INCOMPLETE;
    }
    if (bytes[at] != '\r') {
      return ODD;
    }
    if (at + 1 == end) {
      return INCOMPLETE;
    }
    return bytes[at + 1] == '\n' ? at + 2 : ODD;
  }

  private void add(int start, int nameEnd, int value, int valueEnd, int next) {
    int place = count * PLACES;
    places[place] = start;
    places[place + 1] = nameEnd;
    places[place + 2] = value;
    places[place + 3] = valueEnd;
    places[place + 4] = next;
    names[count] = FieldName.of(bytes, start, nameEnd);
    stays[count] = false;
    count++;
  }

  /** How many fields there are. */
  final int count() {
    return count;
  }

  final FieldName name(int field) {
    return names[field];
  }

  /** Where a field's name ends, which begins its line. */
  final int nameEnd(int field) {
    return places[field * PLACES + 1];
  }

  final int value(int field) {
    return places[field * PLACES + 2];
  }

  final int valueEnd(int field) {
    return places[field * PLACES + 3];
  }

  final String text(int field) {
    return Ascii.string(bytes, value(field), valueEnd(field));
  }

  /** Where the first line ends and the fields begin. */
  final int linesFrom() {
    return linesFrom;
  }

  /** Where a field's line begins. */
  final int line(int field) {
    return places[field * PLACES];
  }

  /** Where the line after a field's begins. */
  final int nextLine(int field) {
    return places[field * PLACES + 4];
  }

  /** Keeps a field from passing. */
  final void stay(int field) {
    stays[field] = true;
  }

  /** Whether a field does not pass. */
  final boolean stays(int field) {
    return stays[field];
  }

  /** Keeps all fields of a name from passing. */
  final void stayAll(byte[] lowerName) {
    for (int i = 0; i < count; i++) {
      if (Ascii.equalsIgnoreCase(bytes, line(i), nameEnd(i), lowerName)) {
        stays[i] = true;
      }
    }
  }

  /** The values of all fields of a name, in their order. */
  final List<String> texts(FieldName name) {
    List<String> all = new ArrayList<>(1);
    for (int i = 0; i < count; i++) {
      if (names[i] == name) {
        all.add(text(i));
      }
    }
    return all;
  }

  /** The same for any name. */
  final List<String> texts(byte[] lowerName) {
    List<String> all = new ArrayList<>(1);
    for (int i = 0; i < count; i++) {
      if (Ascii.equalsIgnoreCase(bytes, line(i), nameEnd(i), lowerName)) {
        all.add(text(i));
      }
    }
    return all;
  }
}
