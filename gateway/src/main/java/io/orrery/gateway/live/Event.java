package io.orrery.gateway.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.vertx.core.buffer.Buffer;
import java.io.UncheckedIOException;

/**
 * An event before it has a number.
 *
 * @param data JSON, and therefore without a line break
 */
public record Event(String name, Buffer data) {
  /** It tells a client to load everything again. */
  public static final Event RESET = of("reset", Json.MAPPER.createObjectNode());

  /** An event with a value. */
  public static Event of(String name, JsonNode data) {
    try {
      return new Event(name, Buffer.buffer(Json.MAPPER.writeValueAsBytes(data)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("an event that cannot be written", e);
    }
  }

  /** As it goes over the wire. */
  Buffer encoded(String id) {
    return Buffer.buffer("event: " + name + "\nid: " + id + "\ndata: ")
        .appendBuffer(data)
        .appendString("\n\n");
  }
}
