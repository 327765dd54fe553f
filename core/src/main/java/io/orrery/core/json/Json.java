package io.orrery.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The one JSON mapper. Times are RFC 3339, a number that is not finite is written as the string
 * {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}, unknown fields are ignored on the way
 * in: what must refuse them checks them itself.
 */
public final class Json {
  /** Deepest nesting that any input may have. */
  public static final int MAX_DEPTH = 200;

  public static final ObjectMapper MAPPER =
      JsonMapper.builder(factory().build())
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .build();

  /**
   * Reads what others write: with NaN, Infinity and -Infinity as bare words, as Python's json
   * module writes them, and each key of an object once. Keys are not interned: there may be any
   * number of different ones, and the table of a reader would grow with each.
   */
  private static final ObjectMapper STRICT =
      JsonMapper.builder(factory().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  static {
    StreamReadConstraints limits =
        StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build();
    MAPPER.getFactory().setStreamReadConstraints(limits);
    STRICT.getFactory().setStreamReadConstraints(limits);
  }

  /** Reads a value and leaves what follows it in the document unread. */
  private static final ObjectReader TREE =
      STRICT.readerFor(JsonNode.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  private static JsonFactoryBuilder factory() {
    return new JsonFactoryBuilder().recyclerPool(new Recycling());
  }

  /** The JSON text of a value of ours. */
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot be written as JSON: " + value.getClass(), e);
    }
  }

  /** A value of ours back from its JSON text; the text was written by {@link #write}. */
  public static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("not a stored " + type.getSimpleName(), e);
    }
  }

  /**
   * The tree of a text that others wrote; NaN, Infinity and -Infinity may stand in it as bare
   * words. A key that stands twice in an object is refused: it is unknown which of its values was
   * meant, and readers differ (RFC 8259 section 4).
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with the line, when it is no JSON, and
   *     with the line and pointer of every key that is there twice
   */
  public static JsonNode parse(String text) {
    try {
      JsonNode node = STRICT.readTree(text);
      if (node != null && !node.isMissingNode()) {
        return node;
      }
    } catch (JsonProcessingException e) {
      // The slower reader below says where, and in words of ours.
    }
    try {
      return placed(text).root();
    } catch (PlacedJson.NotJsonException e) {
      throw new Problem.Refused(e.finding()).toException();
    }
  }

  /** The same with the line of everything. */
  static Document placed(String text) throws PlacedJson.NotJsonException {
    return PlacedJson.read(STRICT.getFactory(), text);
  }

  /**
   * The value that a parser of foreign JSON stands at, as a tree; nothing is kept of keys.
   *
   * @throws com.fasterxml.jackson.databind.exc.MismatchedInputException when an object of it has a
   *     key twice
   * @throws JsonProcessingException when it is no JSON
   */
  public static JsonNode treeOf(JsonParser json) throws IOException {
    return TREE.readValue(json);
  }
}
