package io.orrery.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of JSON that knows the line of every value and finds every duplicate key. It costs more
 * than {@link Json#parse}, which asks it where a fault is.
 */
final class PlacedJson {
  private final JsonParser json;
  private final Map<String, Integer> lines = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private final JsonNodeFactory make = JsonNodeFactory.instance;

  private PlacedJson(JsonParser json) {
    this.json = json;
  }

  /** A text that is no JSON, or ends in the middle of it. */
  static final class NotJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Finding finding;
    private final boolean begun;

    private NotJsonException(JsonProcessingException cause, boolean begun) {
      super(cause);
      Integer line = cause.getLocation() == null ? null : cause.getLocation().getLineNr();
      this.finding = new Finding("", "not JSON: " + words(cause.getOriginalMessage()), line);
      this.begun = begun;
    }

    Finding finding() {
      return finding;
    }

    /** Whether a key or an element was read before: then it was meant to be JSON. */
    boolean begun() {
      return begun;
    }

    /** The parser's sentence without the names of its options. */
    private static String words(String message) {
      return message
          .replaceAll("\\[Source: .*?; line: (\\d+), column: \\d+]", "line $1")
          .replaceAll(", from `[^`]*`", "");
    }
  }

  /**
   * Reads a text.
   *
   * @throws NotJsonException when it is no JSON; NaN, Infinity and -Infinity are taken for numbers
   * @throws io.orrery.core.problem.ProblemException Refused when it has a key twice, or nothing
   */
  static Document read(JsonFactory factory, String text) throws NotJsonException {
    try (JsonParser parser = factory.createParser(text)) {
      PlacedJson reader = new PlacedJson(parser);
      try {
        return reader.document();
      } catch (JsonProcessingException e) {
        throw new NotJsonException(e, reader.lines.size() > 1);
      }
    } catch (IOException e) {
      throw new IllegalStateException("what is in memory can be read", e);
    }
  }

  private Document document() throws IOException {
    if (json.nextToken() == null) {
      throw new Problem.Refused(new Finding("", "the document is empty")).toException();
    }
    JsonNode root = value("");
    if (json.nextToken() != null) {
      findings.add(new Finding("", "something follows the document", line()));
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return new Document(root, lines);
  }

  private int line() {
    return json.currentTokenLocation().getLineNr();
  }

  private JsonNode value(String pointer) throws IOException {
    lines.putIfAbsent(pointer, line());
    return switch (json.currentToken()) {
      case START_OBJECT -> object(pointer);
      case START_ARRAY -> array(pointer);
      case VALUE_STRING -> make.textNode(json.getText());
      case VALUE_NUMBER_INT ->
          switch (json.getNumberType()) {
            case INT -> make.numberNode(json.getIntValue());
            case LONG -> make.numberNode(json.getLongValue());
            default -> make.numberNode(json.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> make.numberNode(json.getDoubleValue());
      case VALUE_TRUE -> make.booleanNode(true);
      case VALUE_FALSE -> make.booleanNode(false);
      case VALUE_NULL -> make.nullNode();
      case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("no value begins with " + json.currentToken());
    };
  }

  private ObjectNode object(String pointer) throws IOException {
    ObjectNode object = make.objectNode();
    for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
      String child = Pointer.child(pointer, key);
      int line = line();
      lines.put(child, line);
      json.nextToken();
      if (object.replace(key, value(child)) != null) {
        findings.add(new Finding(child, "this key is here twice", line));
      }
    }
    return object;
  }

  private ArrayNode array(String pointer) throws IOException {
    ArrayNode array = make.arrayNode();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(Pointer.child(pointer, array.size())));
    }
    return array;
  }
}
