package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
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
  private final String text;
  private int at;

  Skim(String text) {
    this.text = text;
  }

  /** What stands here is not JSON. */
  static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private MalformedException(int at) {
      super("no JSON at character " + at, null, false, false);
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
    char next = peek();
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
    char next = peek();
    if (next == ',') {
      at++;
      next = peek();
    }
    if (next == '}') {
      at++;
      return null;
    }
    if (next != '"') {
      throw new MalformedException(at);
    }
    String key = unquoted();
    if (peek() != ':') {
      throw new MalformedException(at);
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
    return Json.parse(text.substring(begin, at));
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
    int depth = 0;
    do {
      switch (peek()) {
        case '"' -> string();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':' -> at++;
        default -> word();
      }
    } while (depth > 0);
    if (depth < 0) {
      throw new MalformedException(at);
    }
  }

  /** A number, or a bare word. */
  private void word() {
    while (at < text.length() && ",:]} \n\r\t".indexOf(text.charAt(at)) < 0) {
      at++;
    }
  }

  /** Passes over a text. */
  private void string() {
    int begin = at;
    int end = begin;
    do {
      end = text.indexOf('"', end + 1);
      if (end < 0) {
        throw new MalformedException(begin);
      }
    } while (isEscaped(end));
    at = end + 1;
  }

  private boolean isEscaped(int quote) {
    int slashes = 0;
    while (text.charAt(quote - 1 - slashes) == '\\') {
      slashes++;
    }
    return (slashes & 1) == 1;
  }

  /** Takes a text, without its quotes. */
  private String unquoted() {
    int begin = at;
    string();
    String content = text.substring(begin + 1, at - 1);
    return content.indexOf('\\') < 0 ? content : Json.parse(text.substring(begin, at)).textValue();
  }

  /** The next character that is not space; not taken. */
  private char peek() {
    while (at < text.length()) {
      char here = text.charAt(at);
      if (here > ' ') {
        return here;
      }
      at++;
    }
    throw new MalformedException(at);
  }
}
