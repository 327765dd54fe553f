package io.orrery.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.Event.ID;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads the plain documents among YAML texts from the events of the parser. The graph of nodes that
 * {@link Yaml} walks takes 50 times the text: a table of 100,000 routes did not fit into the heap
 * of a router. Whatever is not plain (anchors, tags, merged or repeated keys, faults of any kind)
 * is left to that walk, so that there is one place which knows what is wrong with a document.
 */
final class YamlEvents {
  private final Parser parser;
  private final Resolver resolver;
  private final Function<ScalarNode, @Nullable JsonNode> scalars;
  private final int mostValues;
  private final @Nullable Map<String, Integer> lines;
  private final JsonNodeFactory make = JsonNodeFactory.instance;
  private int values;

  /**
   * @param scalars the value of a scalar; null for one that is not allowed
   * @param mostValues above which a document is refused, not by this class
   * @param lines takes the line of each pointer; null when they are not wanted
   */
  YamlEvents(
      Parser parser,
      Resolver resolver,
      Function<ScalarNode, @Nullable JsonNode> scalars,
      int mostValues,
      @Nullable Map<String, Integer> lines) {
    this.parser = parser;
    this.resolver = resolver;
    this.scalars = scalars;
    this.mostValues = mostValues;
    this.lines = lines;
  }

  /** The one document of the text; null when it is not plain. */
  @Nullable JsonNode read() {
    try {
      expect(ID.StreamStart);
      expect(ID.DocumentStart);
      JsonNode root = value(parser.getEvent(), "", 1);
      expect(ID.DocumentEnd);
      expect(ID.StreamEnd);
      return root;
    } catch (NotPlainException | YAMLException e) {
      return null;
    }
  }

  private void expect(ID id) throws NotPlainException {
    if (!parser.getEvent().is(id)) {
      throw new NotPlainException();
    }
  }

  private JsonNode value(Event event, String pointer, int depth) throws NotPlainException {
    boolean anchored = event instanceof NodeEvent node && node.getAnchor() != null;
    if (anchored || ++values > mostValues || depth > Json.MAX_DEPTH) {
      throw new NotPlainException();
    }
    if (lines != null) {
      lines.putIfAbsent(pointer, line(event));
    }
    return switch (event) {
      case MappingStartEvent mapping when mapping.getTag() == null -> object(pointer, depth);
      case SequenceStartEvent sequence when sequence.getTag() == null -> array(pointer, depth);
      case ScalarEvent scalar when scalar.getTag() == null -> scalar(scalar);
      default -> throw new NotPlainException();
    };
  }

  private ObjectNode object(String pointer, int depth) throws NotPlainException {
    ObjectNode object = make.objectNode();
    for (Event event = parser.getEvent(); !event.is(ID.MappingEnd); event = parser.getEvent()) {
      if (!(event instanceof ScalarEvent key) || key.getTag() != null || key.getAnchor() != null) {
        throw new NotPlainException();
      }
      String name = key.getValue();
      if (node(key).getTag().equals(Tag.MERGE) || object.has(name)) {
        throw new NotPlainException();
      }
      String child = lines == null ? pointer : Pointer.child(pointer, name);
      if (lines != null) {
        lines.put(child, line(key));
      }
      object.set(name, value(parser.getEvent(), child, depth + 1));
    }
    return object;
  }

  private ArrayNode array(String pointer, int depth) throws NotPlainException {
    ArrayNode array = make.arrayNode();
    for (Event event = parser.getEvent(); !event.is(ID.SequenceEnd); event = parser.getEvent()) {
      array.add(
          value(event, lines == null ? pointer : Pointer.child(pointer, array.size()), depth + 1));
    }
    return array;
  }

  private JsonNode scalar(ScalarEvent scalar) throws NotPlainException {
    JsonNode value = scalars.apply(node(scalar));
    if (value == null) {
      throw new NotPlainException();
    }
    return value;
  }

  private ScalarNode node(ScalarEvent scalar) {
    Tag tag =
        resolver.resolve(
            NodeId.scalar, scalar.getValue(), scalar.getImplicit().canOmitTagInPlainScalar());
    return new ScalarNode(
        tag,
        true,
        scalar.getValue(),
        scalar.getStartMark(),
        scalar.getEndMark(),
        scalar.getScalarStyle());
  }

  private static int line(Event event) {
    return event.getStartMark().getLine() + 1;
  }

  /** A document that needs the graph of its nodes. */
  private static final class NotPlainException extends Exception {
    private static final long serialVersionUID = 1;

    NotPlainException() {
      super(null, null, false, false);
    }
  }
}
