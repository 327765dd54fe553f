package io.orrery.core.trial;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.json.Json;
import io.orrery.core.number.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A point of a search space: JSON values by name, deeply immutable. A chosen branch is a map with
 * {@code _name} and its own parameters. A parameter set that is no object, as one of NNI's
 * BatchTuner may be, is one value under {@link #BARE}.
 */
public record Parameters(@JsonValue Map<String, @Nullable Object> values) {
  public static final Parameters EMPTY = new Parameters(Map.of());

  /** The name of a value that trials are given without any name. */
  public static final String BARE = "";

  @JsonCreator
  public Parameters {
    values = frozen(values);
  }

  /** The parameters that a JSON value is: an object's members, or the value without a name. */
  public static Parameters ofValue(@Nullable Object json) {
    if (json instanceof Map<?, ?> object) {
      return new Parameters(frozen(object));
    }
    Map<String, @Nullable Object> bare = new LinkedHashMap<>();
    bare.put(BARE, json);
    return new Parameters(bare);
  }

  /** The JSON value that a trial is given: an object, or the value that has no name. */
  public @Nullable Object value() {
    return values.size() == 1 && values.containsKey(BARE) ? values.get(BARE) : values;
  }

  /**
   * A text that is equal for equal parameters, whatever the order of their names and however their
   * numbers are written ({@link Numbers#canonical}): for finding duplicates.
   */
  public String canonical() {
    return Json.write(sorted(values));
  }

  /** The JSON text, in the order of the search space. */
  public String toJson() {
    return Json.write(values);
  }

  private static Map<String, @Nullable Object> frozen(Map<?, ?> map) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), frozenValue(value)));
    return Collections.unmodifiableMap(copy);
  }

  private static @Nullable Object frozenValue(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> frozen(map);
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(frozenValue(element)));
        yield Collections.unmodifiableList(copy);
      }
      case null -> null;
      default -> value;
    };
  }

  private static Map<String, @Nullable Object> sorted(Map<?, ?> map) {
    Map<String, @Nullable Object> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put(String.valueOf(key), canonical(value)));
    return sorted;
  }

  private static @Nullable Object canonical(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> sorted(map);
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(canonical(element)));
        yield copy;
      }
      case Number number -> Numbers.canonical(number);
      case null -> null;
      default -> value;
    };
  }
}
