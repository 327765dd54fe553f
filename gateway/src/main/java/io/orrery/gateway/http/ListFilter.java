package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a list by what only its answers have, such as a state that is computed: it reads
 * further pages of the list until the page of the answer is full.
 */
public final class ListFilter {
  /** Pages that one request reads at most; what is left is behind the cursor of the answer. */
  private static final int MOST_PAGES = 20;

  private final Query query;
  private final List<Predicate<JsonNode>> conditions = new ArrayList<>();

  /**
   * @param query whose parameters are read
   */
  public ListFilter(Query query) {
    this.query = query;
  }

  /** A list that is read by pages. */
  @FunctionalInterface
  public interface Source {
    /** Reads a page in the shape of {@link Pages#of}. */
    Future<ObjectNode> page(@Nullable String cursor, int limit);
  }

  /**
   * Takes the items with the value of a parameter at a pointer, when the parameter is there.
   *
   * @param words that the parameter may have
   */
  public ListFilter oneOf(String parameter, String pointer, List<String> words) {
    return having(query.oneOf(parameter, words), pointer);
  }

  /** The same of a parameter with any value. */
  public ListFilter equal(String parameter, String pointer) {
    return having(query.text(parameter), pointer);
  }

  private ListFilter having(@Nullable String value, String pointer) {
    if (value != null) {
      conditions.add(item -> item.at(pointer).asText("").equals(value));
    }
    return this;
  }

  /** Takes the items that have the text of the parameter {@code q} at a pointer, in any case. */
  public ListFilter text(String... pointers) {
    String text = query.text("q");
    if (text != null) {
      String lower = text.toLowerCase(Locale.ROOT);
      conditions.add(item ->
          Stream.of(pointers)
              .anyMatch(at -> item.at(at).asText("").toLowerCase(Locale.ROOT).contains(lower)));
    }
    return this;
  }

  /** Filters a list that is there as a whole. */
  public ObjectNode of(ObjectNode page) {
    if (conditions.isEmpty()) {
      return page;
    }
    ArrayNode kept = Json.MAPPER.createArrayNode();
    page.path("items")
        .forEach(item -> {
          if (conditions.stream().allMatch(condition -> condition.test(item))) {
            kept.add(item);
          }
        });
    page.set("items", kept);
    return page;
  }

  /** Filters a list from the cursor of the query on, up to its limit. */
  public Future<ObjectNode> of(Source source) {
    String cursor = query.text("cursor");
    int limit = Pages.limit(query);
    return conditions.isEmpty()
        ? source.page(cursor, limit)
        : more(source, cursor, limit, Json.MAPPER.createArrayNode(), 1);
  }

  private Future<ObjectNode> more(
      Source source, @Nullable String cursor, int limit, ArrayNode kept, int pages) {
    return source
        .page(cursor, limit - kept.size())
        .compose(read -> {
          ObjectNode page = of(read);
          kept.addAll((ArrayNode) page.get("items"));
          JsonNode next = page.path("next");
          if (!next.isTextual() || kept.size() >= limit || pages >= MOST_PAGES) {
            page.set("items", kept);
            return Future.succeededFuture(page);
          }
          return more(source, next.asText(), limit, kept, pages + 1);
        });
  }
}
