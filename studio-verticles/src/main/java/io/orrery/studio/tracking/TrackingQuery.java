package io.orrery.studio.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Statement;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchFilter;
import io.orrery.core.tracking.SearchFilter.Comparison;
import io.orrery.core.tracking.SearchFilter.Operator;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchSubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A SQL query of a search. Every text of the client is an argument, and every name in the SQL is
 * one of ours.
 */
final class TrackingQuery {
  private static final Map<String, String> RUN_COLUMNS =
      Map.of(
          "run_id", "s.id",
          "run_name", "s.name",
          "status", "s.status",
          "user_id", "s.user_name",
          "experiment_id", "s.experiment",
          "artifact_uri", "('mlflow-artifacts:/' || s.experiment || '/' || s.id || '/artifacts')",
          "start_time", "s.started_at",
          "end_time", "s.ended_at");
  private static final Map<String, String> EXPERIMENT_COLUMNS =
      Map.of(
          "name", "s.name",
          "experiment_id", "s.id",
          "creation_time", "s.created_at",
          "last_update_time", "s.changed_at");

  private final SearchSubject subject;
  private final Engine engine;
  private final StringBuilder where = new StringBuilder(" where 1 = 1");
  private final List<@Nullable Object> arguments = new ArrayList<>();
  private final StringBuilder order = new StringBuilder(" order by ");
  private final List<@Nullable Object> orderArguments = new ArrayList<>();

  TrackingQuery(SearchSubject subject, Engine engine) {
    this.subject = subject;
    this.engine = engine;
  }

  /** Takes only rows of which a column has one of some values; null for any. */
  TrackingQuery among(String column, @Nullable List<String> values) {
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
  TrackingQuery projects(String column, @Nullable List<ProjectName> projects) {
    return among(
        column, projects == null ? null : projects.stream().map(ProjectName::value).toList());
  }

  TrackingQuery view(View view) {
    switch (view) {
      case ACTIVE_ONLY -> where.append(" and s.deleted = 0");
      case DELETED_ONLY -> where.append(" and s.deleted = 1");
      case ALL -> {}
    }
    return this;
  }

  TrackingQuery filter(SearchFilter filter) {
    filter.comparisons().forEach(this::add);
    return this;
  }

  /**
   * Sorts by the keys, then by what makes the order of pages certain.
   *
   * @param usual the order where no key decides
   */
  TrackingQuery order(List<SearchOrder> keys, String usual) {
    for (SearchOrder key : keys) {
      String value = value(key.field());
      // What has no value comes last, whichever way the rest is sorted.
      order.append("case when ").append(value).append(" is null then 1 else 0 end, ");
      orderArguments.addAll(keyOf(key.field()));
      order.append(value).append(key.descending() ? " desc, " : " asc, ");
      orderArguments.addAll(keyOf(key.field()));
    }
    order.append(usual);
    return this;
  }

  /** The query of a page, with one row more than the limit when there are more. */
  Statement select(String columns, String from, int limit, long offset) {
    List<@Nullable Object> all = new ArrayList<>(arguments);
    all.addAll(orderArguments);
    all.add(limit + 1);
    all.add(offset);
    return new Statement(
        "select " + columns + " from " + from + where + order + " limit ? offset ?", all, null);
  }

  // ---- comparisons ---------------------------------------------------------------------------

  private void add(Comparison comparison) {
    SearchField field = comparison.field();
    switch (field.kind()) {
      case TEXT, NUMBER -> {
        where.append(" and ");
        compare(column(field.key()), comparison);
      }
      case METRIC -> {
        where.append(
            " and exists (select 1 from tracking_metrics x where x.run = s.id and x.name = ?"
                + " and x.nan = 0 and ");
        arguments.add(field.key());
        compare("x.value", comparison);
        where.append(")");
      }
      case PARAMETER -> {
        where.append(
            " and exists (select 1 from tracking_params x where x.run = s.id and x.name = ? and ");
        arguments.add(field.key());
        compare("x.value", comparison);
        where.append(")");
      }
      case TAG -> {
        where.append(
            " and exists (select 1 from tracking_tags x where x.subject = s.id and x.name = ?"
                + " and ");
        arguments.add(field.key());
        compare("x.value", comparison);
        where.append(")");
      }
    }
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
  static String glob(String pattern) {
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

  // ---- orders --------------------------------------------------------------------------------

  private String value(SearchField field) {
    return switch (field.kind()) {
      case TEXT, NUMBER -> column(field.key());
      case METRIC ->
          "(select case when x.nan = 1 then null else x.value end from tracking_metrics x"
              + " where x.run = s.id and x.name = ?)";
      case PARAMETER -> "(select x.value from tracking_params x where x.run = s.id and x.name = ?)";
      case TAG -> "(select x.value from tracking_tags x where x.subject = s.id and x.name = ?)";
    };
  }

  private static List<String> keyOf(SearchField field) {
    return switch (field.kind()) {
      case TEXT, NUMBER -> List.of();
      case METRIC, PARAMETER, TAG -> List.of(field.key());
    };
  }

  private String column(String attribute) {
    Map<String, String> columns = subject == SearchSubject.RUN ? RUN_COLUMNS : EXPERIMENT_COLUMNS;
    String column = columns.get(attribute);
    if (column == null) {
      throw new IllegalArgumentException("no column for " + attribute);
    }
    return column;
  }
}
