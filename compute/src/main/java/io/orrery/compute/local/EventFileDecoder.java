package io.orrery.compute.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.tensorboard.EventFileReader;
import io.orrery.core.tensorboard.ScalarEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * The scalars of a TensorBoard event file as intermediate results: one for each event, with the
 * numbers under their tags and the event's step as its place. A tag {@code default} is the number
 * that search looks at. They are counted from the file's beginning, so a second reader finds the
 * same points.
 */
final class EventFileDecoder implements FileTailReader.Decoder {
  private static final String DEFAULT = "default";

  private final AttemptRef attempt;
  private final String source;
  private final List<MetricPoint> found = new ArrayList<>();
  private final EventFileReader reader = new EventFileReader(this::take);
  private long ordinal;

  /**
   * @param source {@link MetricPoint#source} of what this file says
   */
  EventFileDecoder(AttemptRef attempt, String source) {
    this.attempt = attempt;
    this.source = source;
  }

  /** Records that could not be read. */
  long damaged() {
    return reader.damaged();
  }

  @Override
  public int decode(byte[] bytes, int length, boolean atEnd, List<MetricPoint> into) {
    int taken = reader.read(bytes, length);
    into.addAll(found);
    found.clear();
    if (atEnd) {
      reader.end(length - taken);
    }
    return atEnd ? length : taken;
  }

  private void take(ScalarEvent event) {
    found.add(
        new MetricPoint(
            attempt,
            source,
            ordinal++,
            MetricKind.INTERMEDIATE,
            event.step(),
            null,
            event.millis(),
            value(event)));
  }

  private static MetricValue value(ScalarEvent event) {
    Double standard = event.values().get(DEFAULT);
    if (standard != null && event.values().size() == 1) {
      return MetricValue.of(standard);
    }
    ObjectNode object = Json.MAPPER.createObjectNode();
    event
        .values()
        .forEach((tag, number) -> {
          if (Double.isFinite(number)) {
            object.put(tag, number);
          } else {
            object.put(tag, number.toString());
          }
        });
    return MetricValue.of(object);
  }
}
