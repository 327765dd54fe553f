package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists in pieces: {@code ?cursor=} and {@code ?limit=} in, {@code {items, next}} out. */
public final class Pages {
  private Pages() {}

  /** How many items are asked for: 100 unless said, at most 1,000. */
  public static int limit(Query query) {
    return (int) query.integer("limit", 100, 1, 1_000);
  }

  /**
   * @param next the cursor of the page after, null when this is the last
   */
  public static <T> ObjectNode of(
      List<T> items, Function<T, ? extends JsonNode> shape, @Nullable String next) {
    ObjectNode page = Json.MAPPER.createObjectNode();
    ArrayNode list = page.putArray("items");
    items.forEach(item -> list.add(shape.apply(item)));
    return page.put("next", next);
  }

  /** A cursor, unless an offset says already where the page begins. */
  public static @Nullable String cursor(Query query) {
    String cursor = query.text("cursor");
    if (cursor != null && query.text("offset") != null) {
      throw new Problem.Refused(
              new Finding("", "a page begins at its 'cursor' or at its 'offset', not at both"))
          .toException();
    }
    return cursor;
  }
}
