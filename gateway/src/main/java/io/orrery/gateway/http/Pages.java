package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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

  /**
   * The page of a list that is there as a whole, by the parameters {@code cursor} and {@code
   * limit}. Its cursor names the last item and its place: when that item has gone since, the place
   * counts.
   *
   * @param key points to what no other item of the list has
   */
  public static ObjectNode cut(Query query, ObjectNode whole, String key) {
    JsonNode items = whole.path("items");
    int limit = limit(query);
    int from = Math.min(start(query, items, key), items.size());
    int to = Math.min(from + limit, items.size());
    ArrayNode kept = Json.MAPPER.createArrayNode();
    for (int i = from; i < to; i++) {
      kept.add(items.get(i));
    }
    whole.set("items", kept);
    return whole.put(
        "next", to == items.size() ? null : encoded(to + " " + items.get(to - 1).at(key).asText()));
  }

  private static int start(Query query, JsonNode items, String key) {
    Position last = query.read("cursor", Position::of);
    if (last == null) {
      return 0;
    }
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).at(key).asText().equals(last.key())) {
        return i + 1;
      }
    }
    return last.place();
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The item that a page ends with. */
  private record Position(int place, String key) {
    static Position of(String cursor) {
      try {
        String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        int space = text.indexOf(' ');
        return new Position(
            Integer.parseUnsignedInt(text.substring(0, Math.max(0, space))),
            text.substring(space + 1));
      } catch (IllegalArgumentException e) {
        throw new Problem.Refused(new Finding("", "a cursor is the 'next' of a page before"))
            .toException();
      }
    }
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
