package io.orrery.core.space;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.constraint.Constraint;
import io.orrery.core.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The search space of a tuner: named dimensions in the order of the document. As JSON it is NNI's
 * form, with a list {@code _constraints} when there are some. An algorithm that is not ours is
 * handed the space as it was given, whatever its format; where that is not NNI's there are no
 * dimensions here.
 *
 * @param dimensions parameter name to dimension; may be empty (every trial then gets {@code {}})
 * @param constraints what the parameters of a trial must have in common
 * @param asGiven the JSON text that an algorithm is handed which is not ours; null for ours
 */
public record SearchSpace(
    Map<String, Dimension> dimensions, List<Constraint> constraints, @Nullable String asGiven) {
  public static final SearchSpace EMPTY = new SearchSpace(Map.of());

  private static final String CONSTRAINTS = "_constraints";
  private static final String AS_GIVEN = "_as_given";

  public SearchSpace {
    dimensions = Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
    constraints = List.copyOf(constraints);
  }

  /** A space of NNI's form. */
  public SearchSpace(Map<String, Dimension> dimensions, List<Constraint> constraints) {
    this(dimensions, constraints, null);
  }

  /** A space in which everything goes together. */
  public SearchSpace(Map<String, Dimension> dimensions) {
    this(dimensions, List.of());
  }

  /** A space for an algorithm that is not ours: in NNI's form or in one of its own. */
  public static SearchSpace asGiven(JsonNode json) {
    SpaceReader.Reading reading = SpaceReader.read(json, "", false);
    return new SearchSpace(
        reading.findings().isEmpty() ? reading.space().dimensions() : Map.of(),
        List.of(),
        Json.write(json));
  }

  /** Whether its parameters are known to its tuner alone. */
  public boolean isOpaque() {
    return asGiven != null && dimensions.isEmpty();
  }

  /**
   * Reads the JSON form of a space that was accepted once: refuses what is no space, as {@link
   * SpaceReader} does, but not numbers that it has learnt to refuse since.
   */
  @JsonCreator
  public static SearchSpace of(JsonNode json) {
    if (!(json instanceof ObjectNode object) || !object.path(CONSTRAINTS).isArray()) {
      return plain(json);
    }
    List<Constraint> constraints = new ArrayList<>();
    object.path(CONSTRAINTS).forEach(text -> constraints.add(Constraint.read(text.asText())));
    ObjectNode plain = object.deepCopy();
    plain.remove(CONSTRAINTS);
    return plain(plain).under(constraints);
  }

  private static SearchSpace plain(JsonNode json) {
    return json.size() == 1 && json.path(AS_GIVEN).isTextual()
        ? asGiven(Json.parse(json.path(AS_GIVEN).textValue()))
        : SpaceReader.stored(json);
  }

  /** The same dimensions under these constraints and no others. */
  public SearchSpace under(List<Constraint> others) {
    return new SearchSpace(dimensions, others, asGiven);
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

  /** The JSON that NNI's algorithms get: NNI's form without constraints, or the form as given. */
  public JsonNode toNniJson() {
    return asGiven == null ? SpaceWriter.write(this) : Json.parse(asGiven);
  }

  /** The form that {@link #of} reads. */
  @JsonValue
  public JsonNode toJson() {
    ObjectNode json =
        asGiven == null
            ? SpaceWriter.write(this)
            : Json.MAPPER.createObjectNode().put(AS_GIVEN, asGiven);
    if (!constraints.isEmpty()) {
      ArrayNode texts = json.putArray(CONSTRAINTS);
      constraints.forEach(constraint -> texts.add(constraint.text()));
    }
    return json;
  }
}
