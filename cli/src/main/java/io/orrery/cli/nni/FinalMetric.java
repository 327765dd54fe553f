package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;

/** A metric in NNI's wire form: JSON text within JSON text, at times only once. */
final class FinalMetric {
  private FinalMetric() {}

  static JsonNode of(String data) {
    JsonNode once = Json.parse(data);
    return once.isTextual() ? Json.parse(once.textValue()) : once;
  }
}
