package io.orrery.orchestrator.experiment.store;

import io.orrery.core.metric.Direction;
import io.orrery.core.sql.Engine;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialField.MetricKey;
import io.orrery.core.trial.TrialField.Parameter;
import io.orrery.core.trial.TrialField.Standard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The fields of a trial in SQL. Most are columns. Parameters and results that are objects are JSON,
 * which the two engines take apart in different words.
 */
final class FieldSql {
  private static final String TAGS =
      " from annotation_tags g where g.experiment = trials.experiment and g.trial = trials.id";

  private final Engine engine;

  FieldSql(Engine engine) {
    this.engine = engine;
  }

  /**
   * A part of a statement.
   *
   * @param arguments what its question marks stand for, in their order
   */
  record Part(String sql, List<Object> arguments) {}

  /**
   * The value of a field in a row of {@code trials}. Of JSON: null where there is none, the name
   * where it is a branch, a truth as 0 or 1; on PostgreSQL as jsonb.
   */
  Part value(TrialField field) {
    return switch (field) {
      case Standard standard -> new Part(column(standard), List.of());
      case Parameter(String name) -> new Part(scalar(parameterEntry()), List.of(name));
      case MetricKey(String key) -> new Part(scalar(resultEntry()), List.of(key));
    };
  }

  /**
   * What stands in {@code order by} for a value in the column {@code value}; nothing comes last.
   */
  String order(TrialField field, boolean descending) {
    String way = descending ? "desc" : "asc";
    if (field instanceof Standard) {
      return switch (field.kind()) {
        case TEXT -> "value%s %s nulls last".formatted(byBytes(), way);
        case NUMBER, TIME, ANY -> "value %s nulls last".formatted(way);
      };
    }
    return "value is null, " + mixed(way);
  }

  /** Numbers, then words: SQLite compares each kind with itself, PostgreSQL is told how. */
  private String mixed(String way) {
    return switch (engine) {
      case SQLITE -> "typeof(value) = 'text', value " + way;
      case POSTGRESQL ->
          "jsonb_typeof(value) <> 'number', %s %s, (case jsonb_typeof(value) when 'number' then null else value #>> '{}' end)%s %s"
              .formatted(number("value"), way, byBytes(), way);
    };
  }

  /** Words in the order of their bytes, whatever language the database was made for. */
  String byBytes() {
    return switch (engine) {
      case SQLITE -> "";
      case POSTGRESQL -> " collate \"C\"";
    };
  }

  /**
   * Conditions on the metric, each a range of the index by metric, that together hold for every row
   * once; in the order of {@link Direction#bestFirst}: finite numbers, what is worse than anything,
   * no measure, no metric.
   *
   * @param descending whether the highest is the best
   */
  List<Part> metricRanges(boolean descending) {
    double bad = descending ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    String number = "cast(? as double precision)";
    Part finite =
        new Part(
            "metric between %s and %s".formatted(number, number),
            List.of(-Double.MAX_VALUE, Double.MAX_VALUE));
    return List.of(
        finite,
        new Part("metric = " + number, List.of(bad)),
        // Not cast: SQLite stores it as a word, which a cast would make 0.
        new Part("metric = ?", List.of(Double.NaN)),
        new Part("metric = " + number, List.of(-bad)),
        new Part("metric is null", List.of()));
  }

  /** The number under a key of a result that is an object; null where there is none. */
  Part resultNumber(String key) {
    return switch (engine) {
      case SQLITE ->
          new Part(
              "(select value from json_each(metric_document) where key = ? and type in ('integer',"
                  + " 'real'))",
              List.of(key));
      case POSTGRESQL ->
          new Part(
              "(select " + number("v") + " from (" + resultEntry() + ") as x(v))", List.of(key));
    };
  }

  /** What a row must be to fit. */
  Part condition(TrialCondition condition) {
    TrialField field = condition.field();
    if (!(field instanceof Standard standard)) {
      return any(condition);
    }
    if (standard == Standard.TAG) {
      return tags(condition);
    }
    String column = column(standard);
    return switch (field.kind()) {
      case TEXT -> words(column, condition);
      case TIME -> numbers(column, "bigint", condition, 1);
      case NUMBER ->
          switch (standard) {
            case DURATION -> numbers(column, "bigint", condition, 1_000);
            case SEQUENCE_ID -> numbers(column, sequenceType(condition), condition, 1);
            default -> numbers(column, "double precision", condition, 1);
          };
      case ANY -> throw new IllegalStateException("a column of any kind: " + field.text());
    };
  }

  /** Fits a trial when one of its tags does; "not" fits when none does. */
  private Part tags(TrialCondition condition) {
    boolean not = condition.comparison() == Comparison.UNEQUAL;
    Part one =
        words(
            "tag",
            not
                ? new TrialCondition(condition.field(), Comparison.EQUAL, condition.values())
                : condition);
    return new Part(
        (not ? "not " : "") + "exists (select 1" + TAGS + " and " + one.sql() + ")",
        one.arguments());
  }

  private String column(Standard field) {
    return switch (field) {
      case SEQUENCE_ID -> "sequence";
      case ID -> "id";
      case STATUS -> "status";
      case METRIC -> "metric";
      case DURATION -> "(ended_at - started_at)";
      case STARTED_AT -> "started_at";
      case ENDED_AT -> "ended_at";
      case ATTEMPT -> "attempt";
      case EXIT_CODE -> "exit_code";
      case REASON -> "reason";
      case TAG -> "(select min(tag)" + TAGS + ")";
      case PARAMETER_SOURCE ->
          switch (engine) {
            case SQLITE -> "json_extract(parameter_sets, '$[#-1].source')";
            case POSTGRESQL -> "(cast(parameter_sets as jsonb) -> -1 ->> 'source')";
          };
    };
  }

  /** One entry of the last parameter set; its name is the argument. */
  private String parameterEntry() {
    return switch (engine) {
      case SQLITE -> "json_each(parameter_sets, '$[#-1].values') where key = ?";
      case POSTGRESQL ->
          "select cast(parameter_sets as jsonb) -> -1 -> 'values' -> cast(? as text)";
    };
  }

  private String resultEntry() {
    return switch (engine) {
      case SQLITE -> "json_each(metric_document) where key = ?";
      case POSTGRESQL -> "select cast(metric_document as jsonb) -> cast(? as text)";
    };
  }

  private String scalar(String entry) {
    return "(" + rows(entry) + ")";
  }

  /** One row with the column {@code v}, or none. */
  private String rows(String entry) {
    return switch (engine) {
      case SQLITE ->
          "select case type when 'object' then json_extract(value, '$._name') else value end as v"
              + " from "
              + entry;
      case POSTGRESQL ->
          "select case jsonb_typeof(v) when 'object' then v -> '_name' when 'null' then null"
              + " when 'boolean' then to_jsonb(cast(v as boolean)::int) else v end as v"
              + " from ("
              + entry
              + ") as x(v)";
    };
  }

  /**
   * A jsonb as a number, null when it is none. One with more digits than a double reaches is
   * infinite, as in SQLite; PostgreSQL would refuse the whole question.
   */
  private static String number(String value) {
    String exact = "cast(%s as numeric)".formatted(value);
    return ("case when jsonb_typeof(%1$s) <> 'number' then null"
            + " when abs(%2$s) > 1.7976931348623157e308"
            + " then sign(%2$s) * cast('Infinity' as double precision)"
            + " else cast(%1$s as double precision) end")
        .formatted(value, exact);
  }

  /** A condition on JSON: numbers are compared with numbers, words with words. */
  private Part any(TrialCondition condition) {
    Part value =
        switch (condition.field()) {
          case Parameter(String name) -> new Part(parameterEntry(), List.of(name));
          case MetricKey(String key) -> new Part(resultEntry(), List.of(key));
          case Standard standard -> throw new IllegalStateException("a column: " + standard);
        };
    List<String> alternatives = new ArrayList<>();
    List<Object> arguments = new ArrayList<>(value.arguments());
    TrialCondition same =
        condition.comparison() == Comparison.UNEQUAL
            ? new TrialCondition(condition.field(), Comparison.EQUAL, condition.values())
            : condition;
    for (boolean word : new boolean[] {false, true}) {
      List<Object> some =
          same.values().stream().filter(one -> one instanceof String == word).toList();
      if (!some.isEmpty()) {
        TrialCondition narrowed = new TrialCondition(same.field(), same.comparison(), some);
        Part part =
            word ? words(asWord(), narrowed) : numbers(asNumber(), "double precision", narrowed, 1);
        alternatives.add(part.sql());
        arguments.addAll(part.arguments());
      }
    }
    String not =
        condition.comparison() == Comparison.UNEQUAL
            ? "v is not null and not coalesce"
            : "coalesce";
    return new Part(
        "exists (select 1 from (%s) as y where %s(%s, %s))"
            .formatted(rows(value.sql()), not, String.join(" or ", alternatives), no()),
        arguments);
  }

  /** SQLite knows no truth but 0 and 1. */
  private String no() {
    return switch (engine) {
      case SQLITE -> "0";
      case POSTGRESQL -> "false";
    };
  }

  private String asNumber() {
    return switch (engine) {
      case SQLITE -> "(case when typeof(v) in ('integer', 'real') then v end)";
      case POSTGRESQL -> "(" + number("v") + ")";
    };
  }

  private String asWord() {
    return switch (engine) {
      case SQLITE -> "(case when typeof(v) = 'text' then v end)";
      case POSTGRESQL -> "(case jsonb_typeof(v) when 'string' then v #>> '{}' end)";
    };
  }

  private Part words(String value, TrialCondition condition) {
    String sign = condition.comparison().sign();
    String sql =
        condition.comparison().isEquality()
            ? among(value, condition, "?")
            : "%s%s %s ?".formatted(value, byBytes(), sign);
    return new Part("(" + sql + ")", condition.values());
  }

  /** With numbers of the column's own kind PostgreSQL finds the place in its index. */
  private static String sequenceType(TrialCondition condition) {
    boolean whole =
        condition.values().stream()
            .mapToDouble(value -> ((Number) value).doubleValue())
            .allMatch(value -> value == Math.rint(value));
    return whole ? "bigint" : "double precision";
  }

  private static Part numbers(String value, String type, TrialCondition condition, int unit) {
    String argument = "cast(? as " + type + ")";
    List<Object> arguments = new ArrayList<>();
    for (Object one : condition.values()) {
      double number = ((Number) one).doubleValue() * unit;
      arguments.add(type.equals("bigint") ? (Object) Math.round(number) : (Object) number);
    }
    if (condition.comparison().isEquality()) {
      return new Part("(" + among(value, condition, argument) + ")", arguments);
    }
    String sql = "%s %s %s".formatted(value, condition.comparison().sign(), argument);
    if (type.equals("double precision")
        && (condition.comparison() == Comparison.MORE
            || condition.comparison() == Comparison.AT_LEAST)) {
      // A NaN stands above all numbers in both engines.
      sql += " and " + value + " <= " + argument;
      arguments.add(Double.POSITIVE_INFINITY);
    }
    return new Part("(" + sql + ")", arguments);
  }

  private static String among(String value, TrialCondition condition, String argument) {
    String all = String.join(", ", Collections.nCopies(condition.values().size(), argument));
    return "%s %s (%s)"
        .formatted(value, condition.comparison() == Comparison.EQUAL ? "in" : "not in", all);
  }
}
