package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
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
public final class JsonScanner {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long QUOTES = '"' * ONES;

  /** So many digits are always an int. */
  private static final int INT_DIGITS = 9;

  private static final JsonNodeFactory NODES = Json.MAPPER.getNodeFactory();

  private final byte[] text;
  private final int end;
  private int at;

  JsonScanner(String text) {
    this(text.getBytes(StandardCharsets.UTF_8));
  }

  JsonScanner(byte[] text) {
    this(text, 0, text.length);
  }

  /**
   * @param text in UTF-8; not copied
   * @param end of what is looked at, exclusive
   */
  JsonScanner(byte[] text, int begin, int end) {
    this.text = text;
    this.at = begin;
    this.end = end;
  }

  /**
   * @param text in UTF-8, with an array behind it; not copied
   */
  JsonScanner(ByteBuffer text) {
    this(text.array(), text.arrayOffset() + text.position(), text.arrayOffset() + text.limit());
  }

  /** Returns a reader of the rest that goes on by itself. */
  JsonScanner copy() {
    return new JsonScanner(text, at, end);
  }

  /** Whether something stands here yet: texts may follow each other. */
  boolean hasMore() {
    while (at < end && text[at] <= ' ' && text[at] >= 0) {
      at++;
    }
    return at < end;
  }

  /** Gives the failure for text that is not JSON. */
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

  /** Gives the failure for JSON that is not of the expected form. */
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

  /**
   * The value that stands here, read whole.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when what should be a number is none
   */
  JsonNode tree() {
    return tree(0);
  }

  /** The object that stands here, read whole but for one of its keys. */
  JsonNode treeWithout(String left) {
    return peek() == '{' ? object(left, 0) : tree();
  }

  /**
   * A parser's own costs are more than those of reading the few hundred bytes that a status has.
   */
  private JsonNode tree(int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw malformed();
    }
    return switch (peek()) {
      case '"' -> NODES.textNode(unquoted());
      case '{' -> object(null, depth);
      case '[' -> list(depth);
      default -> plain();
    };
  }

  private ObjectNode object(@Nullable String left, int depth) {
    at++;
    ObjectNode object = NODES.objectNode();
    for (String key = key(); key != null; key = key()) {
      if (key.equals(left)) {
        skip();
      } else {
        object.set(key, tree(depth + 1));
      }
    }
    return object;
  }

  private ArrayNode list(int depth) {
    at++;
    ArrayNode list = NODES.arrayNode();
    while (next()) {
      list.add(tree(depth + 1));
    }
    return list;
  }

  /** A number, or one of the words that JSON has. */
  private JsonNode plain() {
    int begin = at;
    word();
    String word = string(begin, at);
    return switch (word) {
      case "true" -> NODES.booleanNode(true);
      case "false" -> NODES.booleanNode(false);
      case "null" -> NODES.nullNode();
      default -> isShort(word) ? IntNode.valueOf(Integer.parseInt(word)) : Json.parse(word);
    };
  }

  /** Whether a word is a number without sign, fraction and zeros in front, and always an int. */
  private static boolean isShort(String word) {
    boolean digits = !word.isEmpty() && word.length() <= INT_DIGITS;
    for (int i = 0; digits && i < word.length(); i++) {
      digits = word.charAt(i) >= '0' && word.charAt(i) <= '9';
    }
    return digits && (word.length() == 1 || word.charAt(0) != '0');
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

  /** Finds the quote that ends the text which begins there. */
  private int endOfText(int begin) {
    int here = quote(begin + 1);
    while (here < end && isEscaped(here, begin)) {
      here = quote(here + 1);
    }
    if (here >= end) {
      throw malformed();
    }
    return here;
  }

  /** Whether an odd number of slashes stands before a quote of the text that begins there. */
  private boolean isEscaped(int quote, int begin) {
    int here = quote - 1;
    while (here > begin && text[here] == '\\') {
      here--;
    }
    return (quote - here) % 2 == 0;
  }

  /** Looks at eight bytes at a time: most of what is passed over is text. */
  private int quote(int from) {
    int here = from;
    for (; here <= end - Long.BYTES; here += Long.BYTES) {
      long found = zeros((long) EIGHT.get(text, here) ^ QUOTES);
      if (found != 0) {
        return here + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (here < end && text[here] != '"') {
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
