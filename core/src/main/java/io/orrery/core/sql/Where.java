package io.orrery.core.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The conditions of a query, all of which hold, with their arguments in order. */
public final class Where {
  private final List<String> conditions = new ArrayList<>();
  private final List<@Nullable Object> arguments = new ArrayList<>();

  /** Adds a condition with its arguments. */
  public Where and(String condition, @Nullable Object... values) {
    conditions.add(condition);
    arguments.addAll(Arrays.asList(values));
    return this;
  }

  /** Adds that a column has a value; null for any. */
  public Where equal(String column, @Nullable Object value) {
    return value == null ? this : and(column + " = ?", value);
  }

  /** Adds that a column of lower case has a text somewhere, in any case; null for any. */
  public Where contains(String column, @Nullable String text) {
    return contains(List.of(column), text);
  }

  /**
   * Adds that one of several columns has a text somewhere, in any case and as it is: {@code %} and
   * {@code _} mean themselves.
   *
   * @param columns of lower case
   * @param text null for any
   */
  public Where contains(List<String> columns, @Nullable String text) {
    if (text == null) {
      return this;
    }
    String pattern = "%" + text.toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1") + "%";
    String any =
        columns.stream()
            .map(column -> column + " like ? escape '\\'")
            .collect(Collectors.joining(" or "));
    return and(
        columns.size() == 1 ? any : "(" + any + ")",
        Collections.nCopies(columns.size(), pattern).toArray());
  }

  /**
   * Adds that a column has one of some values, written by their {@code toString}.
   *
   * @param values null for any; of an empty list none fits
   */
  public Where in(String column, @Nullable List<?> values) {
    if (values == null) {
      return this;
    }
    return values.isEmpty()
        ? and("1 = 0")
        : and(
            column + " in " + Statement.marks(values.size()),
            values.stream().map(String::valueOf).toArray());
  }

  /**
   * The statement that reads a page, and one row more when there are more.
   *
   * @param select up to the table
   * @param order the columns of the order
   */
  public Statement page(String select, String order, int limit) {
    List<@Nullable Object> all = new ArrayList<>(arguments);
    all.add(limit + 1);
    String where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    return new Statement(select + where + " order by " + order + " limit ?", all, null);
  }
}
