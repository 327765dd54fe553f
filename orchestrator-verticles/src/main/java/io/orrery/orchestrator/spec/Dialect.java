package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.schema.Keys;
import java.util.Map;

/** The NNI version of a file's form. A mix counts as the form that most of its keys have. */
enum Dialect {
  V1,
  V3;

  static Dialect of(JsonNode root) {
    int balance = 0;
    for (Map.Entry<String, JsonNode> entry : root.properties()) {
      String key = entry.getKey();
      if (V1Keys.only(key)) {
        balance++;
      } else if (V1Keys.inV3(key) && Keys.find(key, V1Keys.known("")).isEmpty()) {
        balance--;
      }
    }
    return balance > 0 ? V1 : V3;
  }
}
