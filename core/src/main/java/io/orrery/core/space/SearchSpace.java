package io.orrery.core.space;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.constraint.Constraint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tuner may vary: named dimensions in the order of the document. As JSON it is NNI's form,
 * with a list {@code _constraints} when there are some.
 *
 * @param dimensions parameter name to dimension; may be empty (every trial then gets {@code {}})
 * @param constraints what the parameters of a trial must have in common
 */
public record SearchSpace(Map<String, Dimension> dimensions, List<Constraint> constraints) {
  public static final SearchSpace EMPTY = new SearchSpace(Map.of());

  private static final String CONSTRAINTS = "_constraints";

  public SearchSpace {
    dimensions = Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
    constraints = List.copyOf(constraints);
  }

  /** A space in which everything goes together. */
  public SearchSpace(Map<String, Dimension> dimensions) {
    this(dimensions, List.of());
  }

  /** Reads the JSON form; refuses as {@link SpaceReader} does. */
  @JsonCreator
  public static SearchSpace of(JsonNode json) {
    if (json instanceof ObjectNode object && object.path(CONSTRAINTS) instanceof ArrayNode texts) {
      List<Constraint> constraints = new ArrayList<>();
      texts.forEach(text -> constraints.add(Constraint.read(text.asText())));
      ObjectNode plain = object.deepCopy();
      plain.remove(CONSTRAINTS);
      return SpaceReader.read(plain).under(constraints);
    }
    return SpaceReader.read(json);
  }

  /** The same dimensions under these constraints and no others. */
  public SearchSpace under(List<Constraint> others) {
    return new SearchSpace(dimensions, others);
  }

  /** Whether parameters break no constraint. */
  public boolean allows(Map<String, ? extends @Nullable Object> parameters) {
    return constraints.stream().allMatch(constraint -> constraint.holds(parameters));
  }

  /** Whether an algorithm may take it for a list: one choice of whole parameter sets. */
  public boolean mayBeList() {
    return dimensions.size() == 1
        && dimensions.values().iterator().next() instanceof Dimension.Choice(var options)
        && options.stream().anyMatch(o -> o instanceof Dimension.Literal(Map<?, ?> set));
  }

  /** NNI's form, which knows no constraints. */
  public JsonNode toNniJson() {
    return SpaceWriter.write(this);
  }

  /** The form that {@link #of} reads. */
  @JsonValue
  public JsonNode toJson() {
    ObjectNode json = SpaceWriter.write(this);
    if (!constraints.isEmpty()) {
      ArrayNode texts = json.putArray(CONSTRAINTS);
      constraints.forEach(constraint -> texts.add(constraint.text()));
    }
    return json;
  }
}
