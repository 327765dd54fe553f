package io.orrery.core.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.regex.Pattern;

/**
 * A parameter set as NNI writes it: in {@code parameter.cfg}, in its API, and between its manager
 * and its dispatcher.
 */
public final class ParameterRecord {
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,17})");

  private ParameterRecord() {}

  /** The record. A tuner's number is a number in it, as trials expect it; other ids are texts. */
  public static ObjectNode of(ParameterSet set) {
    ObjectNode record = Json.MAPPER.createObjectNode();
    String id = set.parameterId();
    if (id != null && NUMBER.matcher(id).matches()) {
      record.put("parameter_id", Long.parseLong(id));
    } else {
      record.put("parameter_id", id);
    }
    record.put("parameter_source", set.source().text());
    record.set("parameters", Json.MAPPER.valueToTree(set.values()));
    return record.put("parameter_index", set.index());
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
