package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of two searches, of what clients track and of experiments and trials of this server, in
 * one order. Each is asked for a page from where the page before ended in it, so a page costs the
 * same however many came before.
 */
final class MlflowMerge<T> {
  private final Comparator<T> order;
  private final int limit;

  MlflowMerge(Comparator<T> order, int limit) {
    this.order = order;
    this.limit = limit;
  }

  /** A search, from an offset; at most the limit of the merge. */
  @FunctionalInterface
  interface Source<T> {
    Future<Part<T>> from(long offset);

    /** A search that finds nothing. */
    static <T> Source<T> none() {
      return offset -> Future.succeededFuture(new Part<>(List.of(), false));
    }
  }

  /**
   * A page of one search.
   *
   * @param more whether there are more behind it
   */
  record Part<T>(List<T> items, boolean more) {
    Part {
      items = List.copyOf(items);
    }

    /**
     * Whether what comes next in it is not known here: objects of its page were deleted meanwhile.
     */
    boolean endsEarly(int taken) {
      return more && taken == items.size();
    }
  }

  /**
   * The places in both searches at which a page begins. A token of clients is {@code 12.34}, or
   * {@code 12} for the one of a search that has no trials.
   */
  record Offsets(long tracked, long trials) {
    static Offsets of(@Nullable String token) {
      if (token == null || token.isEmpty()) {
        return new Offsets(0, 0);
      }
      String[] parts = token.split("\\.", -1);
      try {
        Offsets offsets =
            new Offsets(Long.parseLong(parts[0]), parts.length == 1 ? 0 : Long.parseLong(parts[1]));
        if (parts.length <= 2 && offsets.tracked >= 0 && offsets.trials >= 0) {
          return offsets;
        }
      } catch (NumberFormatException e) {
        // Refused below.
      }
      throw MlflowRequest.refused("'page_token' is one that a page before was answered with");
    }

    String token() {
      return trials == 0 ? Long.toString(tracked) : tracked + "." + trials;
    }
  }

  /**
   * A page of both.
   *
   * @param next the token of the next page; null after the last
   */
  record Page<T>(List<T> items, @Nullable String next) {
    Page {
      items = List.copyOf(items);
    }

    /** Adds the token of the next page, when there is one. */
    ObjectNode into(ObjectNode answer) {
      return next == null ? answer : answer.put("next_page_token", next);
    }
  }

  /** Reads a page. */
  Future<Page<T>> page(Offsets from, Source<T> tracked, Source<T> trials) {
    return tracked
        .from(from.tracked())
        .compose(first -> trials.from(from.trials()).map(second -> merged(from, first, second)));
  }

  private Page<T> merged(Offsets from, Part<T> first, Part<T> second) {
    List<T> items = new ArrayList<>();
    int a = 0;
    int b = 0;
    while (items.size() < limit
        && (a < first.items().size() || b < second.items().size())
        && !first.endsEarly(a)
        && !second.endsEarly(b)) {
      boolean takesFirst =
          b == second.items().size()
              || (a < first.items().size()
                  && order.compare(first.items().get(a), second.items().get(b)) <= 0);
      items.add(takesFirst ? first.items().get(a++) : second.items().get(b++));
    }
    boolean more =
        a < first.items().size() || b < second.items().size() || first.more() || second.more();
    return new Page<>(
        items, more ? new Offsets(from.tracked() + a, from.trials() + b).token() : null);
  }
}
