package io.orrery.core.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Statement;
import io.orrery.core.tracking.SearchFilter.Comparison;
import io.orrery.core.tracking.SearchFilter.Operator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SQL query of a search. Every text of the client is an argument, and every name in the SQL is
 * one of ours. Not thread safe.
 */
public final class SearchQuery {
  private final Engine engine;
  private final Fields fields;
  private final StringBuilder where = new StringBuilder(" where 1 = 1");
  private final List<@Nullable Object> arguments = new ArrayList<>();
  private final StringBuilder order = new StringBuilder(" order by ");
  private final List<@Nullable Object> orderArguments = new ArrayList<>();

  /**
   * @param fields the values of a row that filters and orders name
   */
  public SearchQuery(Engine engine, Fields fields) {
    this.engine = engine;
    this.fields = fields;
  }

  /**
   * An expression of SQL.
   *
   * @param arguments for its question marks, in their order
   */
  public record Part(String sql, List<Object> arguments) {
    public Part {
      arguments = List.copyOf(arguments);
    }

    /** An expression without question marks. */
    public static Part of(String sql) {
      return new Part(sql, List.of());
    }
  }

  /** The expressions of fields: null where a row has no value, or NaN. */
  @FunctionalInterface
  public interface Fields {
    Part value(SearchField field);
  }

  /** Takes only rows of which a column has one of some values; null for any. */
  public SearchQuery among(String column, @Nullable List<String> values) {
    if (values != null) {
      where
          .append(" and ")
          .append(column)
          .append(values.isEmpty() ? " is null" : " in " + Statement.marks(values.size()));
      arguments.addAll(values);
    }
    return this;
  }

  /** Takes only rows of some projects; null for any. */
  public SearchQuery projects(String column, @Nullable List<ProjectName> projects) {
    return among(
        column, projects == null ? null : projects.stream().map(ProjectName::value).toList());
  }

  /** Takes only rows for which an expression without arguments holds. */
  public SearchQuery where(String condition) {
    where.append(" and ").append(condition);
    return this;
  }

  /** Takes only rows that pass a filter. */
  public SearchQuery filter(SearchFilter filter) {
    filter.comparisons().forEach(this::add);
    return this;
  }

  /**
   * Sorts by the keys, then by what makes the order of pages certain.
   *
   * @param usual the order where no key decides
   */
  public SearchQuery order(List<SearchOrder> keys, String usual) {
    for (SearchOrder key : keys) {
      Part value = fields.value(key.field());
      // What has no value comes last, whichever way the rest is sorted.
      order.append("case when ").append(value.sql()).append(" is null then 1 else 0 end, ");
      orderArguments.addAll(value.arguments());
      order
          .append(value.sql())
          .append(key.field().kind().isNumeric() ? "" : byBytes())
          .append(key.descending() ? " desc, " : " asc, ");
      orderArguments.addAll(value.arguments());
    }
    order.append(usual);
    return this;
  }

  /** Texts are in the order of their bytes, whatever language the database was made for. */
  private String byBytes() {
    return switch (engine) {
      case SQLITE -> "";
      case POSTGRESQL -> " collate \"C\"";
    };
  }

  /** The query of a page, with one row more than the limit when there are more. */
  public Statement select(String columns, String from, int limit, long offset) {
    List<@Nullable Object> all = new ArrayList<>(arguments);
    all.addAll(orderArguments);
    all.add(limit + 1);
    all.add(offset);
    return new Statement(
        "select " + columns + " from " + from + where + order + " limit ? offset ?", all, null);
  }

  // ---- comparisons ---------------------------------------------------------------------------

  private void add(Comparison comparison) {
    Part value = fields.value(comparison.field());
    where.append(" and ");
    arguments.addAll(value.arguments());
    compare(value.sql(), comparison);
  }

  private void compare(String value, Comparison comparison) {
    Operator operator = comparison.operator();
    if (comparison.field().kind().isNumeric()) {
      where.append(value).append(" ").append(operator.sign()).append(" ?");
      arguments.add(comparison.number());
      return;
    }
    switch (operator) {
      case EQUAL, NOT_EQUAL, GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL -> {
        where.append(value).append(" ").append(operator.sign()).append(" ?");
        arguments.add(comparison.text());
      }
      case LIKE -> like(value, comparison.text());
      case ILIKE -> {
        where.append("lower(").append(value).append(") like lower(?)");
        arguments.add(comparison.text());
        if (engine == Engine.POSTGRESQL) {
          where.append(" escape ''");
        }
      }
      case IN, NOT_IN -> {
        where
            .append(value)
            .append(operator == Operator.IN ? " in " : " not in ")
            .append(Statement.marks(comparison.texts().size()));
        arguments.addAll(comparison.texts());
      }
    }
  }

  /** Compares with a pattern, case by case: LIKE of SQLite takes letters of both cases for one. */
  private void like(String value, String pattern) {
    if (engine == Engine.SQLITE) {
      where.append(value).append(" glob ?");
      arguments.add(glob(pattern));
    } else {
      where.append(value).append(" like ? escape ''");
      arguments.add(pattern);
    }
  }

  /** A pattern of LIKE as one of GLOB. */
  private static String glob(String pattern) {
    StringBuilder glob = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      switch (c) {
        case '%' -> glob.append('*');
        case '_' -> glob.append('?');
        case '*', '?', '[' -> glob.append('[').append(c).append(']');
        default -> glob.append(c);
      }
    }
    return glob.toString();
  }
}
