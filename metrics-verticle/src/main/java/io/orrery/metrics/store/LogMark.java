package io.orrery.metrics.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The mark of the durable end of the log: all that is needed to see that a file of it is missing,
 * shorter than it was, or another log's.
 *
 * @param segment that is written
 * @param durable offset behind the last frame that is known to be durable
 * @param checksum of that frame's body
 * @param closed segments that are full and not in chunks yet
 */
record LogMark(long segment, long durable, int checksum, List<Closed> closed) {
  /**
   * A full segment.
   *
   * @param end offset behind its last frame
   * @param checksum of that frame's body
   */
  record Closed(long segment, long end, int checksum) {}

  LogMark {
    closed = List.copyOf(closed);
  }

  JsonNode toJson() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("segment", segment)
            .put("durable", durable)
            .put("checksum", checksum);
    ArrayNode full = json.putArray("closed");
    for (Closed one : closed) {
      full.addArray().add(one.segment()).add(one.end()).add(one.checksum());
    }
    return json;
  }

  static LogMark of(JsonNode json) {
    List<Closed> closed = new ArrayList<>();
    for (JsonNode one : json.path("closed")) {
      closed.add(new Closed(one.path(0).asLong(), one.path(1).asLong(), one.path(2).asInt()));
    }
    return new LogMark(
        json.path("segment").asLong(),
        json.path("durable").asLong(),
        json.path("checksum").asInt(),
        closed);
  }
}
