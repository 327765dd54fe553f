package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds some parts of a JSON text without reading the rest: what is passed over is looked at for
 * quotes and brackets only. For the objects of API servers, of which little is wanted; a reader of
 * JSON would make a name of every key, and half of those stand in one object only (who set which
 * field). A text that is not JSON may go unnoticed, or else ends in {@link MalformedException}.
 */
final class Skim {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long QUOTES = '"' * ONES;
  private static final long SLASHES = '\\' * ONES;

  private final byte[] text;
  private final int end;
  private int at;

  Skim(String text) {
    this(text.getBytes(StandardCharsets.UTF_8));
  }

  Skim(byte[] text) {
    this(text, 0, text.length);
  }

  /**
   * @param text in UTF-8; not copied
   * @param end of what is looked at, exclusive
   */
  Skim(byte[] text, int begin, int end) {
    this.text = text;
    this.at = begin;
    this.end = end;
  }

  /** What reads on from here by itself. */
  Skim copy() {
    return new Skim(text, at, end);
  }

  /** Whether something stands here yet: texts may follow each other. */
  boolean hasMore() {
    while (at < end && text[at] <= ' ' && text[at] >= 0) {
      at++;
    }
    return at < end;
  }

  /** What stands here is not JSON. */
  static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private MalformedException(int at) {
      super("no JSON at byte " + at, null, false, false);
    }
  }

  /** Steps into the object that stands here; false when it is something else, which stays. */
  boolean enter() {
    boolean object = peek() == '{';
    if (object) {
      at++;
    }
    return object;
  }

  /** Steps into the list that stands here; false when it is something else, which stays. */
  boolean enterList() {
    boolean list = peek() == '[';
    if (list) {
      at++;
    }
    return list;
  }

  /**
   * Whether the list that was entered has one more element, which is next; else steps out of it.
   */
  boolean next() {
    byte next = peek();
    if (next == ',') {
      at++;
      next = peek();
    }
    if (next == ']') {
      at++;
      return false;
    }
    return true;
  }

  /** What is to be thrown when it is JSON, but not what it should be. */
  MalformedException malformed() {
    return new MalformedException(at);
  }

  /** The next key of the object that was entered, its value being next; null steps out of it. */
  @Nullable String key() {
    byte next = peek();
    if (next == ',') {
      at++;
      next = peek();
    }
    if (next == '}') {
      at++;
      return null;
    }
    if (next != '"') {
      throw malformed();
    }
    String key = unquoted();
    if (peek() != ':') {
      throw malformed();
    }
    at++;
    return key;
  }

  /** The value that stands here, if it is a text; null otherwise. */
  @Nullable String text() {
    if (peek() == '"') {
      return unquoted();
    }
    skip();
    return null;
  }

  /** The texts of the object that stands here, by key; none when it is something else. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    if (!enter()) {
      skip();
      return texts;
    }
    for (String key = key(); key != null; key = key()) {
      String value = text();
      if (value != null) {
        texts.put(key, value);
      }
    }
    return texts;
  }

  /** The value that stands here, read whole. */
  JsonNode tree() {
    peek();
    int begin = at;
    skip();
    return Json.parse(text, begin, at - begin);
  }

  /** The object that stands here, read whole but for one of its keys. */
  JsonNode treeWithout(String left) {
    if (!enter()) {
      return tree();
    }
    ObjectNode tree = Json.MAPPER.createObjectNode();
    for (String key = key(); key != null; key = key()) {
      if (key.equals(left)) {
        skip();
      } else {
        tree.set(key, tree());
      }
    }
    return tree;
  }

  /** Passes over the value that stands here. */
  void skip() {
    switch (peek()) {
      case '"' -> passText();
      case '{', '[' -> passNested();
      case '}', ']' -> throw malformed();
      default -> word();
    }
  }

  /** Passes over an object or a list: most of what an API server writes is passed over here. */
  private void passNested() {
    int depth = 0;
    int here = at;
    while (here < end) {
      switch (text[here]) {
        case '"' -> here = endOfText(here);
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      here++;
      if (depth == 0) {
        at = here;
        return;
      }
    }
    throw malformed();
  }

  /** A number, or a bare word. */
  private void word() {
    while (at < end && ",:]} \n\r\t".indexOf(text[at]) < 0) {
      at++;
    }
  }

  private void passText() {
    at = endOfText(at) + 1;
  }

  /** Where the quote is that ends the text which begins there. */
  private int endOfText(int begin) {
    int here = quoteOrSlash(begin + 1);
    while (here < end && text[here] != '"') {
      here = quoteOrSlash(here + 2);
    }
    if (here >= end) {
      throw malformed();
    }
    return here;
  }

  /** Looks at eight bytes at a time: most of what is passed over is text. */
  private int quoteOrSlash(int from) {
    int here = from;
    for (; here <= end - Long.BYTES; here += Long.BYTES) {
      long eight = (long) EIGHT.get(text, here);
      long found = zeros(eight ^ QUOTES) | zeros(eight ^ SLASHES);
      if (found != 0) {
        return here + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (here < end && text[here] != '"' && text[here] != '\\') {
      here++;
    }
    return here;
  }

  /** The highest bit of each byte that is zero; right up to the first of them, and no farther. */
  private static long zeros(long eight) {
    return (eight - ONES) & ~eight & (ONES << (Byte.SIZE - 1));
  }

  /** Takes a text, without its quotes. */
  private String unquoted() {
    int begin = at;
    passText();
    String content = string(begin + 1, at - 1);
    return content.indexOf('\\') < 0 ? content : Json.parse(string(begin, at)).textValue();
  }

  private String string(int from, int to) {
    return new String(text, from, to - from, StandardCharsets.UTF_8);
  }

  /** The next byte that is not space; not taken. */
  private byte peek() {
    if (!hasMore()) {
      throw malformed();
    }
    return text[at];
  }
}
