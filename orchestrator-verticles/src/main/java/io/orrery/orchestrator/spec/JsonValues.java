package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts JSON objects to values by name. */
final class JsonValues {
  private static final TypeReference<Map<String, @Nullable Object>> BY_NAME =
      new TypeReference<>() {};

  private JsonValues() {}

  /** The members of an object; none when it is not an object. */
  static Parameters parameters(JsonNode json) {
    return json.isObject()
        ? new Parameters(Json.MAPPER.convertValue(json, BY_NAME))
        : Parameters.EMPTY;
  }
}
