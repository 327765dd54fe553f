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
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of JSON that knows the line of every value and finds every duplicate key. It costs more
 * than {@link Json#parse}, which asks it where a fault is.
 */
final class PlacedJson {
  private final JsonParser json;
  private final @Nullable Map<String, Integer> lines;
  private final List<Finding> findings = new ArrayList<>();
  private final JsonNodeFactory make = JsonNodeFactory.instance;

  /**
   * @param lines takes the line of each pointer; null when they are not wanted
   */
  private PlacedJson(JsonParser json, @Nullable Map<String, Integer> lines) {
    this.json = json;
    this.lines = lines;
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
      JsonNode root = new PlacedJson(parser, null).document();
      return new Document(root, new LinesOnDemand(() -> lines(factory, text)));
    } catch (ProblemException | IOException e) {
      // Read again, for what is wrong and where.
      return new Document(placed(factory, text, new HashMap<>()), Map.of());
    }
  }

  private static Map<String, Integer> lines(JsonFactory factory, String text) {
    Map<String, Integer> lines = new HashMap<>();
    try {
      placed(factory, text, lines);
    } catch (NotJsonException e) {
      throw new IllegalStateException("what was JSON before is JSON", e);
    }
    return lines;
  }

  private static JsonNode placed(JsonFactory factory, String text, Map<String, Integer> lines)
      throws NotJsonException {
    try (JsonParser parser = factory.createParser(text)) {
      return new PlacedJson(parser, lines).document();
    } catch (JsonProcessingException e) {
      throw new NotJsonException(e, lines.size() > 1);
    } catch (IOException e) {
      throw new IllegalStateException("what is in memory can be read", e);
    }
  }

  private JsonNode document() throws IOException {
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
    return root;
  }

  private int line() {
    return json.currentTokenLocation().getLineNr();
  }

  private JsonNode value(String pointer) throws IOException {
    if (lines != null) {
      lines.putIfAbsent(pointer, line());
    }
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
      String child = lines == null ? pointer : Pointer.child(pointer, key);
      int line = line();
      if (lines != null) {
        lines.put(child, line);
      }
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
      array.add(value(lines == null ? pointer : Pointer.child(pointer, array.size())));
    }
    return array;
  }
}
