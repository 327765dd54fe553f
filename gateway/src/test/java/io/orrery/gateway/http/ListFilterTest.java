package io.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Filters lists of many pages. */
class ListFilterTest {
  private static final List<String> WORDS = List.of("READY", "FAILED");

  private final List<String> asked = new ArrayList<>();

  /** A list of 1,000 items, every fiftieth of which has failed; a cursor is a position. */
  private Future<ObjectNode> page(String cursor, int limit) {
    asked.add(cursor + "+" + limit);
    int from = cursor == null ? 0 : Integer.parseInt(cursor);
    int to = Math.min(1_000, from + limit);
    return Future.succeededFuture(
        Pages.of(
            IntStream.range(from, to).boxed().toList(),
            at ->
                Json.MAPPER
                    .createObjectNode()
                    .put("name", "s" + at)
                    .put("status", at % 50 == 0 ? "FAILED" : "READY")
                    .set("at", IntNode.valueOf(at)),
            to == 1_000 ? null : Integer.toString(to)));
  }

  private ObjectNode filtered(MultiMap values) {
    return new ListFilter(query(values))
        .oneOf("status", "/status", WORDS)
        .text("/name")
        .of(this::page)
        .result();
  }

  /** The parameters of a request to a route that knows those of lists. */
  private static Query query(MultiMap values) {
    Served served =
        new Served("GET", "/x", RouteNeed.CALLER, List.of("status", "q", "cursor", "limit"));
    Route route = proxy(Route.class, "getMetadata", served);
    RoutingContext context =
        (RoutingContext)
            Proxy.newProxyInstance(
                ListFilterTest.class.getClassLoader(),
                new Class<?>[] {RoutingContext.class},
                (self, method, arguments) ->
                    method.getName().equals("queryParams") ? values : route);
    return Query.of(context);
  }

  private static <T> T proxy(Class<T> type, String only, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> method.getName().equals(only) ? answer : null));
  }

  private static MultiMap values(String... pairs) {
    MultiMap values = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < pairs.length; i += 2) {
      values.add(pairs[i], pairs[i + 1]);
    }
    return values;
  }

  private static List<Integer> places(ObjectNode page) {
    return page.get("items").valueStream().map(item -> item.get("at").asInt()).toList();
  }

  @Test
  void withoutAConditionOnePageIsReadAsItIs() {
    assertThat(places(filtered(values("limit", "3")))).containsExactly(0, 1, 2);
    assertThat(asked).containsExactly("null+3");
  }

  @Test
  void furtherPagesAreReadUntilThePageIsFull() {
    ObjectNode page = filtered(values("status", "FAILED", "limit", "100"));
    assertThat(places(page)).hasSize(20).startsWith(0, 50).endsWith(950);
    assertThat(page.get("next").isNull()).isTrue();
  }

  @Test
  void theCursorGoesOnWhereTheRequestStopped() {
    List<Integer> all = new ArrayList<>();
    String cursor = null;
    do {
      MultiMap values = values("status", "FAILED", "limit", "4");
      if (cursor != null) {
        values.add("cursor", cursor);
      }
      ObjectNode page = filtered(values);
      assertThat(page.get("items").size()).isLessThanOrEqualTo(4);
      all.addAll(places(page));
      cursor = page.get("next").isNull() ? null : page.get("next").asText();
    } while (cursor != null);
    assertThat(all).hasSize(20).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void oneRequestReadsABoundedNumberOfPages() {
    filtered(values("q", "no such name", "limit", "1"));
    assertThat(asked).hasSize(20);
  }

  @Test
  void aTextIsFoundInAnyCase() {
    assertThat(places(filtered(values("q", "S99", "limit", "1000"))))
        .containsExactly(99, 990, 991, 992, 993, 994, 995, 996, 997, 998, 999);
  }

  /** The items of a page of a list that is there as a whole: names between two bounds. */
  private static ObjectNode cut(int from, int to, MultiMap values) {
    return Pages.cut(
        query(values),
        Pages.of(
            IntStream.range(from, to).boxed().toList(),
            at -> Json.MAPPER.createObjectNode().put("name", "s " + at).put("at", at),
            null),
        "/name");
  }

  @Test
  void aWholeListIsReadInPagesWhileItChanges() {
    assertThat(places(cut(0, 300, values()))).hasSize(100).startsWith(0);
    ObjectNode first = cut(0, 10, values("limit", "4"));
    assertThat(places(first)).containsExactly(0, 1, 2, 3);
    String cursor = first.get("next").textValue();

    // Items have come before the last one, or it has gone itself.
    assertThat(places(cut(-5, 10, values("cursor", cursor, "limit", "3"))))
        .containsExactly(4, 5, 6);
    assertThat(places(cut(4, 12, values("cursor", cursor)))).containsExactly(8, 9, 10, 11);
    ObjectNode last = cut(0, 10, values("cursor", cursor, "limit", "6"));
    assertThat(places(last)).endsWith(9);
    assertThat(last.get("next").isNull()).isTrue();
    assertThat(places(cut(0, 2, values("cursor", cursor)))).isEmpty();
  }

  @Test
  void aCursorThatNoPageHadIsRefused() {
    for (String cursor : List.of("zzz", "!", "MTAw")) {
      assertThatThrownBy(() -> cut(0, 3, values("cursor", cursor)))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("cursor");
    }
  }
}
