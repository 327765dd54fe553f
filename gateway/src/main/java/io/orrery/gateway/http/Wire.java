package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The JSON forms of values in the API. */
public final class Wire {
  private Wire() {}

  /** RFC 3339 in UTC with milliseconds. */
  public static @Nullable String time(@Nullable Instant instant) {
    return instant == null ? null : WireTime.text(instant);
  }

  /** The same from milliseconds since the epoch. */
  public static String time(long millis) {
    return WireTime.text(Instant.ofEpochMilli(millis));
  }

  /** Seconds, with a fraction only when there is one. */
  public static JsonNode seconds(@Nullable Duration duration) {
    if (duration == null) {
      return Json.MAPPER.nullNode();
    }
    var make = Json.MAPPER.getNodeFactory();
    double seconds = duration.toMillis() / 1e3;
    return seconds == Math.rint(seconds)
        ? make.numberNode((long) seconds)
        : make.numberNode(seconds);
  }

  public static JsonNode parameters(Parameters parameters) {
    return Json.MAPPER.valueToTree(parameters);
  }
}
