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
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

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

  /** Reads what Python's json module writes: NaN, Infinity and -Infinity as bare words. */
  private static final ObjectMapper LENIENT = lenient().build();

  /** The same, but a name may stand in an object once. */
  private static final ObjectMapper UNIQUE =
      lenient().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /**
   * For what others write, whose names have no end: a reader that kept them, to know them again,
   * would look longer and longer for each.
   */
  private static JsonMapper.Builder lenient() {
    return JsonMapper.builder(
            factory().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build())
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  static {
    StreamReadConstraints limits =
        StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build();
    MAPPER.getFactory().setStreamReadConstraints(limits);
    LENIENT.getFactory().setStreamReadConstraints(limits);
    UNIQUE.getFactory().setStreamReadConstraints(limits);
  }

  /** A part of a document: what follows it is not its business. */
  private static final ObjectReader TREE =
      LENIENT
          .readerFor(JsonNode.class)
          .with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

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
   * A tree of somebody else's JSON, with bare NaN and Infinity allowed.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with line and column, when it is none
   */
  public static JsonNode parse(String text) {
    return parse(() -> LENIENT.readTree(text));
  }

  /**
   * The same of what a person wrote by hand: a name that stands twice in an object is refused as
   * well, because nobody knows which of its values was meant.
   */
  public static JsonNode parseUnique(String text) {
    return parse(() -> UNIQUE.readTree(text));
  }

  /**
   * The value that a parser of somebody else's JSON stands at, as a tree; a name that stands twice
   * in an object of it is refused, and nothing is kept of names.
   *
   * @throws JsonProcessingException when it is no JSON, or has a name twice
   */
  public static JsonNode treeOf(JsonParser json) throws IOException {
    return TREE.readValue(json);
  }

  private interface Reading {
    @Nullable JsonNode tree() throws IOException;
  }

  private static JsonNode parse(Reading reading) {
    try {
      JsonNode node = reading.tree();
      if (node == null || node.isMissingNode()) {
        throw new Problem.Refused(new Finding("", "the document is empty")).toException();
      }
      return node;
    } catch (JsonProcessingException e) {
      Integer line = e.getLocation() == null ? null : e.getLocation().getLineNr();
      throw new Problem.Refused(new Finding("", "not JSON: " + e.getOriginalMessage(), line))
          .toException();
    } catch (IOException e) {
      throw new UncheckedIOException("what is in memory can be read", e);
    }
  }
}
