package io.orrery.core.space;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a tuner may vary: named dimensions in the order of the document. As JSON it is NNI's form.
 *
 * @param dimensions parameter name to dimension; may be empty (every trial then gets {@code {}})
 */
public record SearchSpace(Map<String, Dimension> dimensions) {
  public static final SearchSpace EMPTY = new SearchSpace(Map.of());

  public SearchSpace {
    dimensions = Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
  }

  /** Reads NNI's form; refuses as {@link SpaceReader} does. */
  @JsonCreator
  public static SearchSpace of(JsonNode json) {
    return SpaceReader.read(json);
  }

  /** Whether an algorithm may take it for a list: one choice of whole parameter sets. */
  public boolean mayBeList() {
    return dimensions.size() == 1
        && dimensions.values().iterator().next() instanceof Dimension.Choice(var options)
        && options.stream().anyMatch(o -> o instanceof Dimension.Literal(Map<?, ?> set));
  }

  /** NNI's form. */
  @JsonValue
  public JsonNode toJson() {
    return SpaceWriter.write(this);
  }
}
