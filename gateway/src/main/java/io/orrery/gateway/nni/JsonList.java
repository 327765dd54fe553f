package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Outflow;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.stream.Stream;

/** A JSON array that is written piece by piece: NNI's API has no pages. */
final class JsonList {
  private final Outflow out;
  private boolean empty = true;

  JsonList(RoutingContext context, Outflow out) {
    this.out = out;
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
  }

  /** Completes when there is room for more. */
  Future<Void> add(Stream<? extends JsonNode> elements) {
    Buffer piece = Buffer.buffer();
    elements.forEach(element -> {
      piece.appendString(empty ? "[" : ",\n").appendString(Json.write(element));
      empty = false;
    });
    return out.write(piece);
  }

  Future<Void> end() {
    return out.write(Buffer.buffer(empty ? "[]" : "]")).onSuccess(written -> out.end());
  }
}
