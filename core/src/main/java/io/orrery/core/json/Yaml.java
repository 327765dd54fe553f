package io.orrery.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * A reader of YAML: by default of 1.1, the dialect of PyYAML, which reads NNI's files ({@code no}
 * is false). One departure from 1.1: {@code 1e-3} is a number, as its authors mean it, where PyYAML
 * would make it a string. Callers read through {@link Document#read}, which gives JSON to the
 * parser of JSON.
 *
 * <p>Plain data only: tags that name classes are refused, as are duplicate keys and documents that
 * blow up through aliases.
 */
final class Yaml {
  private static final Pattern EXPONENT = Pattern.compile("[-+]?[0-9]+[eE][-+]?[0-9]+");
  private static final int MAX_ALIASES = 50;
  private static final int MAX_VALUES = 1_000_000;
  private static final int MAX_VALUES_BY_ALIAS = 10_000;

  private Yaml() {}

  /**
   * Reads one document.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with the line, when it does not parse
   */
  static Document read(String text, Dialect dialect) {
    LoaderOptions options = options();
    Reading reading = new Reading(options, mostNodes(text));
    JsonNode plain = events(text, dialect, reading, null);
    if (plain == null) {
      return readNodes(text, dialect, options, reading);
    }
    return new Document(plain, new LinesOnDemand(() -> lines(text, dialect)));
  }

  private static Map<String, Integer> lines(String text, Dialect dialect) {
    Map<String, Integer> lines = new HashMap<>();
    events(text, dialect, new Reading(options(), mostNodes(text)), lines);
    return lines;
  }

  private static @Nullable JsonNode events(
      String text, Dialect dialect, Reading reading, @Nullable Map<String, Integer> lines) {
    ParserImpl parser = parser(text, options());
    return new YamlEvents(parser, dialect.resolver(), reading::plainScalar, mostNodes(text), lines)
        .read();
  }

  /** Reads a document by the graph of its nodes, whatever is in it. */
  static Document readNodes(String text, Dialect dialect) {
    LoaderOptions options = options();
    return readNodes(text, dialect, options, new Reading(options, mostNodes(text)));
  }

  private static Document readNodes(
      String text, Dialect dialect, LoaderOptions options, Reading reading) {
    try {
      Composer composer = new Composer(parser(text, options), dialect.resolver(), options);
      Node node = composer.getSingleNode();
      if (node == null) {
        throw new Problem.Refused(new Finding("", "the document is empty")).toException();
      }
      return reading.document(node);
    } catch (MarkedYAMLException e) {
      Integer line = e.getProblemMark() == null ? null : e.getProblemMark().getLine() + 1;
      throw new Problem.Refused(new Finding("", "not YAML: " + e.getProblem(), line)).toException();
    } catch (YAMLException e) {
      throw new Problem.Refused(new Finding("", "not YAML: " + e.getMessage())).toException();
    }
  }

  private static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(MAX_ALIASES);
    options.setNestingDepthLimit(Json.MAX_DEPTH);
    options.setCodePointLimit(Integer.MAX_VALUE);
    return options;
  }

  private static ParserImpl parser(String text, LoaderOptions options) {
    return new ParserImpl(new StreamReader(new StringReader(text)), options);
  }

  /** A dialect, by what plain text means in it. */
  enum Dialect {
    PYYAML {
      @Override
      Resolver resolver() {
        return new Resolver();
      }
    },

    /**
     * The core schema of YAML 1.2, but that a number with a zero before it is text, as its author
     * means it who writes a code or a date.
     */
    CORE {
      @Override
      Resolver resolver() {
        return new CoreResolver();
      }
    };

    abstract Resolver resolver();
  }

  /** Finds the tags of plain text by the core schema. */
  private static final class CoreResolver extends Resolver {
    private static final String NUMBER = "-+.0123456789";

    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(
          Tag.BOOL, Pattern.compile("^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF");
      addImplicitResolver(
          Tag.INT, Pattern.compile("^(?:[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+)$"), NUMBER);
      addImplicitResolver(
          Tag.FLOAT,
          Pattern.compile(
              "^(?:[-+]?(?:\\.[0-9]+|(?:0|[1-9][0-9]*)\\.[0-9]*)(?:[eE][-+]?[0-9]+)?"
                  + "|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$"),
          NUMBER);
      addImplicitResolver(Tag.MERGE, Pattern.compile("^(?:<<)$"), "<");
      addImplicitResolver(Tag.NULL, Pattern.compile("^(?:~|null|Null|NULL| )$"), "~nN\0");
      addImplicitResolver(Tag.NULL, Pattern.compile("^$"), null);
    }
  }

  /** Without aliases no text has more values than characters; with them the tree may explode. */
  private static int mostNodes(String text) {
    return Math.min(MAX_VALUES, text.length() + MAX_VALUES_BY_ALIAS);
  }

  /** A walk over the node graph, which collects values, lines and findings. */
  private static final class Reading extends SafeConstructor {
    private final Map<String, Integer> lines = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Set<Node> written = Collections.newSetFromMap(new IdentityHashMap<>());
    private final JsonNodeFactory make = JsonNodeFactory.instance;
    private final int mostNodes;
    private int nodes;
    private int depth;

    Reading(LoaderOptions options, int mostNodes) {
      super(options);
      this.mostNodes = mostNodes;
    }

    Document document(Node node) {
      JsonNode root = read(node, "");
      if (!findings.isEmpty()) {
        throw Problem.Refused.of(findings).toException();
      }
      return new Document(root, lines);
    }

    private JsonNode read(Node node, String pointer) {
      if (++nodes > mostNodes) {
        throw new YAMLException("the document holds more than " + mostNodes + " values");
      }
      // An alias may stand inside its own anchor, and then there is no bottom.
      if (++depth > Json.MAX_DEPTH) {
        throw new YAMLException("the document is nested deeper than " + Json.MAX_DEPTH);
      }
      lines.putIfAbsent(pointer, line(node));
      JsonNode json =
          switch (node) {
            case MappingNode mapping -> object(mapping, pointer);
            case SequenceNode sequence -> array(sequence, pointer);
            case ScalarNode scalar -> scalar(scalar, pointer);
            default -> throw new YAMLException("unexpected node at line " + line(node));
          };
      depth--;
      return json;
    }

    private JsonNode object(MappingNode mapping, String pointer) {
      if (written.add(mapping)) {
        refuseDuplicates(mapping, pointer);
        flattenMapping(mapping);
      }
      ObjectNode object = make.objectNode();
      for (NodeTuple tuple : mapping.getValue()) {
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
          findings.add(new Finding(pointer, "a key must be plain text", line(tuple.getKeyNode())));
          continue;
        }
        String child = Pointer.child(pointer, key.getValue());
        lines.put(child, line(key));
        object.set(key.getValue(), read(tuple.getValueNode(), child));
      }
      return object;
    }

    /** Before keys are merged in, which the mapping's own ones replace rightfully. */
    private void refuseDuplicates(MappingNode mapping, String pointer) {
      Set<String> keys = new HashSet<>();
      for (NodeTuple tuple : mapping.getValue()) {
        boolean merge = tuple.getKeyNode().getTag().equals(Tag.MERGE);
        if (tuple.getKeyNode() instanceof ScalarNode key && !merge && !keys.add(key.getValue())) {
          findings.add(
              new Finding(
                  Pointer.child(pointer, key.getValue()), "this key is here twice", line(key)));
        }
      }
    }

    /** Left to {@link #refuseDuplicates}, which knows the place. */
    @Override
    protected void processDuplicateKeys(MappingNode node, boolean forceStringKeys) {}

    private JsonNode array(SequenceNode sequence, String pointer) {
      ArrayNode array = make.arrayNode();
      for (Node element : sequence.getValue()) {
        array.add(read(element, Pointer.child(pointer, array.size())));
      }
      return array;
    }

    private JsonNode scalar(ScalarNode scalar, String pointer) {
      JsonNode value = plainScalar(scalar);
      if (value == null) {
        findings.add(new Finding(pointer, "a value of this kind is not allowed", line(scalar)));
        return make.nullNode();
      }
      return value;
    }

    /** The value of a scalar; null when it is not allowed. */
    @Nullable JsonNode plainScalar(ScalarNode scalar) {
      if (scalar.getTag().equals(Tag.STR) && scalar.isPlain()) {
        return exponentWithoutPoint(scalar.getValue());
      }
      try {
        return switch (constructObject(scalar)) {
          case null -> make.nullNode();
          case Boolean b -> make.booleanNode(b);
          case Integer i -> make.numberNode(i);
          case Long l -> make.numberNode(l);
          case BigInteger big -> make.numberNode(big);
          case Double d -> make.numberNode(d);
          case String s -> make.textNode(s);
          // A date or a byte array: NNI's schema knows neither, the author meant text.
          default -> make.textNode(scalar.getValue());
        };
      } catch (YAMLException | IllegalArgumentException e) {
        // The latter for text under a tag that it does not fit, such as !!int x.
        return null;
      }
    }

    private JsonNode exponentWithoutPoint(String text) {
      if (EXPONENT.matcher(text).matches()) {
        return make.numberNode(Double.parseDouble(text));
      }
      return make.textNode(text);
    }

    private static int line(Node node) {
      return node.getStartMark().getLine() + 1;
    }
  }
}
