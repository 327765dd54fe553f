package io.orrery.gateway.mlflow;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchFilter;
import io.orrery.core.tracking.SearchFilter.Comparison;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchSubject;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A search among the objects of the registry, which are some thousands at most: they are read page
 * by page, compared here, and sorted.
 */
final class MlflowSearch<T> {
  /** The most objects that pass a filter; a search beyond is refused. */
  private static final int MOST = 100_000;

  private final SearchFilter filter;
  private final List<SearchOrder> order;
  private final Values<T> values;
  private final List<T> found = new ArrayList<>();

  /** The values of the fields of an object: a text, a Double, or null for none. */
  @FunctionalInterface
  interface Values<T> {
    @Nullable Object of(T object, SearchField field);
  }

  /** A page of objects with the cursor of the next one, null after the last. */
  record Page<T>(List<T> items, @Nullable String next) {}

  MlflowSearch(MlflowRequest request, SearchSubject subject, Values<T> values) {
    this.filter = SearchFilter.parse(request.filter(), subject);
    this.order = SearchOrder.parse(request.texts("order_by"), subject);
    this.values = values;
  }

  /** Reads all pages; completes with the objects that pass, in their order. */
  Future<List<T>> run(Function<@Nullable String, Future<Page<T>>> pages) {
    return read(pages)
        .map(all -> {
          if (!order.isEmpty()) {
            found.sort(comparator(order, values));
          }
          return found;
        });
  }

  private Future<Void> read(Function<@Nullable String, Future<Page<T>>> pages) {
    return AsyncLoop.pages(cursor ->
        pages
            .apply(cursor)
            .map(page -> {
              page.items().stream().filter(this::passes).forEach(found::add);
              if (found.size() > MOST) {
                throw MlflowRequest.refused(
                    "more than %,d objects pass the filter: name more of them".formatted(MOST));
              }
              return page.next();
            }));
  }

  private boolean passes(T object) {
    return filter.comparisons().stream()
        .allMatch(comparison -> passes(comparison, values.of(object, comparison.field())));
  }

  private static boolean passes(Comparison comparison, @Nullable Object value) {
    return switch (value) {
      case null -> false;
      case Double number -> numberPasses(comparison, number);
      default -> textPasses(comparison, value.toString());
    };
  }

  private static boolean numberPasses(Comparison comparison, double value) {
    double other = comparison.number();
    return switch (comparison.operator()) {
      case EQUAL -> value == other;
      case NOT_EQUAL -> value != other;
      case GREATER -> value > other;
      case GREATER_OR_EQUAL -> value >= other;
      case LESS -> value < other;
      case LESS_OR_EQUAL -> value <= other;
      case LIKE, ILIKE, IN, NOT_IN -> false;
    };
  }

  private static boolean textPasses(Comparison comparison, String value) {
    return switch (comparison.operator()) {
      case EQUAL -> value.equals(comparison.text());
      case NOT_EQUAL -> !value.equals(comparison.text());
      case LIKE -> SearchFilter.like(value, comparison.text(), false);
      case ILIKE -> SearchFilter.like(value, comparison.text(), true);
      case IN -> comparison.texts().contains(value);
      case NOT_IN -> !comparison.texts().contains(value);
      case GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL -> false;
    };
  }

  /** The order of objects by some keys; what has no value comes last. */
  static <T> Comparator<T> comparator(List<SearchOrder> order, Values<T> values) {
    Comparator<T> whole = (_, _) -> 0;
    for (SearchOrder key : order) {
      whole =
          whole.thenComparing((a, b) ->
              compare(values.of(a, key.field()), values.of(b, key.field()), key.descending()));
    }
    return whole;
  }

  /** What has no value comes last. */
  private static int compare(@Nullable Object a, @Nullable Object b, boolean descending) {
    if (a == null || b == null) {
      return Boolean.compare(a == null, b == null);
    }
    int order =
        a instanceof Double first && b instanceof Double second
            ? Double.compare(first, second)
            : a.toString().compareTo(b.toString());
    return descending ? -order : order;
  }
}
