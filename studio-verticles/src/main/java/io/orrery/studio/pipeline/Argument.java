package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a template, or a parameter of a pipeline.
 *
 * @param itemType of the elements of lists and choices
 * @param required whether there must be a value
 * @param choice the values that may be chosen; empty for any
 * @param range of numbers; null for any
 * @param usual the value when none is given; null for none
 * @param inner the arguments of a dict, or of each dict of a list
 */
record Argument(
    String name,
    ArgumentType type,
    ArgumentType itemType,
    boolean required,
    List<String> choice,
    @Nullable Range range,
    @Nullable JsonNode usual,
    Map<String, Argument> inner) {
  Argument {
    choice = List.copyOf(choice);
    inner = Collections.unmodifiableMap(new LinkedHashMap<>(inner));
  }

  /** A range of numbers, both ends included. */
  record Range(BigDecimal least, BigDecimal most) {
    boolean has(BigDecimal number) {
      return number.compareTo(least) >= 0 && number.compareTo(most) <= 0;
    }

    @Override
    public String toString() {
      return least.toPlainString() + " to " + most.toPlainString();
    }
  }

  /** The same as one element of its values. */
  Argument item() {
    return new Argument(name, itemType, ArgumentType.STR, true, List.of(), range, null, inner);
  }
}
