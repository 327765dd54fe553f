package io.orrery.core.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parameter set as NNI writes it: in {@code parameter.cfg}, in its API, and between its manager
 * and its dispatcher.
 */
public final class ParameterRecord {
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,17})");

  private ParameterRecord() {}

  /** The record. A tuner's number is a number in it, as trials expect it; other ids are texts. */
  public static ObjectNode of(ParameterSet set) {
    return Json.MAPPER.valueToTree(fields(set));
  }

  /** The text of the record, without a tree: every trial has one. */
  public static String text(ParameterSet set) {
    return Json.write(fields(set));
  }

  private static Map<String, @Nullable Object> fields(ParameterSet set) {
    String id = set.parameterId();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put(
        "parameter_id",
        id != null && NUMBER.matcher(id).matches() ? (Object) Long.valueOf(id) : id);
    fields.put("parameter_source", set.source().text());
    fields.put("parameters", set.values().value());
    fields.put("parameter_index", set.index());
    return fields;
  }

  /** The record that says that there is no set of this index: its parameters are null. */
  public static ObjectNode ofNone(int index) {
    return Json.MAPPER
        .createObjectNode()
        .putNull("parameter_id")
        .put("parameter_source", ParameterSource.ALGORITHM.text())
        .putNull("parameters")
        .put("parameter_index", index);
  }
}
