package io.orrery.gateway.tensorboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.tensorboard.EventFileWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tags of a point: {@code default} for a number that was reported on the way, {@code final} for
 * a result; of an object every number under its own name, those of a result as {@code
 * final/<name>}.
 */
final class Scalars {
  private static final String DEFAULT = "default";
  private static final String FINAL = "final";

  private Scalars() {}

  static void add(MetricPoint point, EventFileWriter file) {
    boolean result = point.kind() == MetricKind.FINAL;
    String standard = result ? FINAL : DEFAULT;
    String document = point.value().document();
    if (document == null) {
      file.add(point.time(), point.sequence(), Map.of(standard, point.value().number()));
      return;
    }
    Map<String, Double> values = new LinkedHashMap<>();
    if (!point.value().isNamedOnly()) {
      values.put(standard, point.value().number());
    }
    for (Map.Entry<String, JsonNode> member : Json.parse(document).properties()) {
      if (member.getValue().isNumber() && !member.getKey().equals(DEFAULT)) {
        String name = result ? FINAL + "/" + member.getKey() : member.getKey();
        values.put(name, member.getValue().doubleValue());
      }
    }
    if (!values.isEmpty()) {
      file.add(point.time(), point.sequence(), values);
    }
  }
}
