package io.orrery.gateway.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Reply;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answer to a request that has stored a document, or only checked it. */
public final class DocumentReply {
  private DocumentReply() {}

  /**
   * An answer with the outcome and the notices.
   *
   * @param address of the object
   * @param shape the object as it is now; null after a dry run of a new one
   */
  public static Reply of(
      String address,
      @Nullable ObjectNode shape,
      Outcome outcome,
      List<String> notices,
      boolean dryRun) {
    ObjectNode body = shape == null ? Json.MAPPER.createObjectNode() : shape;
    body.put("outcome", outcome.name().toLowerCase(Locale.ROOT));
    ArrayNode told = body.putArray("notices");
    notices.forEach(told::add);
    if (dryRun) {
      return Reply.ok(body.put("valid", true));
    }
    return outcome == Outcome.CREATED ? Reply.created(address, body) : Reply.ok(body);
  }
}
