package io.orrery.core.tracking;

import java.util.ArrayList;
import java.util.List;

/**
 * A key of the order of a search, such as {@code metrics.loss ASC}.
 *
 * @param descending whether the largest comes first
 */
public record SearchOrder(SearchField field, boolean descending) {
  private static final int MOST = 20;
  private static final int MOST_CHARACTERS = 1_000;

  /**
   * Reads the keys of an order.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with what is wrong
   */
  public static List<SearchOrder> parse(List<String> texts, SearchSubject subject) {
    if (texts.size() > MOST) {
      throw SearchScanner.refused("an order has at most %d keys".formatted(MOST));
    }
    List<SearchOrder> orders = new ArrayList<>();
    for (String text : texts) {
      if (text.length() > MOST_CHARACTERS) {
        throw SearchScanner.refused(
            "a key of an order has at most %,d characters".formatted(MOST_CHARACTERS));
      }
      SearchScanner scanner = new SearchScanner(text, subject);
      SearchField field = scanner.field();
      boolean descending = scanner.take("desc");
      if (!descending) {
        scanner.take("asc");
      }
      if (!scanner.atEnd()) {
        throw SearchScanner.refused(
            "a key of an order ends with ASC or DESC, not '" + scanner.rest() + "'");
      }
      orders.add(new SearchOrder(field, descending));
    }
    return List.copyOf(orders);
  }
}
