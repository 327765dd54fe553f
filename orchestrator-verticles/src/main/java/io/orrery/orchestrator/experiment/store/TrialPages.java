package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialField.Standard;
import io.orrery.core.trial.TrialOrder;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of trials in any order, narrowed and in pages. By sequence a page goes on where the one
 * before ended, so that none is missed while trials come; in other orders, and from an offset, rows
 * are counted off. What is counted off are numbers out of an index wherever there is one; only the
 * rows of the page are read whole. By metric the order is that of {@link
 * io.orrery.core.metric.Direction#bestFirst}, highest first as for maximize.
 */
public final class TrialPages {
  private final Store store;
  private final TrialTable trials;
  private final FieldSql sql;

  public TrialPages(Store store, TrialTable trials) {
    this.store = store;
    this.trials = trials;
    this.sql = new FieldSql(store.engine());
  }

  /**
   * The order and filter of a page.
   *
   * @param mark tells the lists apart that cursors belong to
   */
  private record Way(TrialOrder order, String mark, Trials.ListSome wanted) {
    static Way of(Trials.ListSome wanted) {
      TrialOrder order = wanted.sort() == null ? TrialOrder.MADE : TrialOrder.parse(wanted.sort());
      String narrowing = wanted.status() + "\n" + wanted.query() + "\n" + wanted.where();
      return new Way(order, order.text() + " " + Integer.toHexString(narrowing.hashCode()), wanted);
    }

    boolean bySequence() {
      return order.field() == Standard.SEQUENCE_ID;
    }

    /** Where the page begins: a number of rows to leave out, or a sequence number. */
    @Nullable Long from() {
      if (wanted.cursor() == null) {
        return null;
      }
      Cursor cursor = Cursor.parse(wanted.cursor());
      if (!cursor.mark().equals(mark)) {
        throw ofAnother(order.text()).toException();
      }
      return cursor.number();
    }
  }

  /** See {@link Trials.ListSome}. */
  public Future<Trials.Page> page(Trials.ListSome wanted) {
    Way way;
    Long from;
    try {
      way = Way.of(wanted);
      from = way.from();
    } catch (RuntimeException refused) {
      return Future.failedFuture(refused);
    }
    Future<@Nullable Long> total =
        wanted.counted() ? count(wanted).map(n -> n) : Future.succeededFuture(null);
    return rows(way, from).compose(found -> total.map(counted -> page(way, from, found, counted)));
  }

  private Future<Long> count(Trials.ListSome wanted) {
    List<Object> arguments = new ArrayList<>();
    String query = "select count(*) as total from trials" + where(wanted, arguments);
    return store
        .read(Statement.of(query, arguments.toArray()), row -> row.integer("total"))
        .map(List::getFirst);
  }

  /** One more than the page holds, so that it is known whether another follows. */
  private Future<List<Trial>> rows(Way way, @Nullable Long from) {
    TrialOrder order = way.order();
    if (order.field() == Standard.METRIC) {
      return trials.found(
          way.wanted().experiment(), byMetric(way, from), metricOrder(order.descending()));
    }
    String ordered =
        way.bySequence()
            ? "value " + (order.descending() ? "desc" : "asc")
            : sql.order(order.field(), order.descending()) + ", sequence";
    return trials.found(way.wanted().experiment(), found(way, from, ordered), ordered);
  }

  private static String metricOrder(boolean descending) {
    return "part, value " + (descending ? "desc" : "asc") + ", sequence";
  }

  /**
   * The statement that finds these rows in the order of the metric. An index has NaN and the
   * infinities at its ends, which are not their places; so each range of it is walked by itself, as
   * far as the page may reach, and the ranges are put one after the other.
   */
  private Statement byMetric(Way way, @Nullable Long from) {
    boolean descending = way.order().descending();
    long skipped = skipped(way, from);
    long limit = way.wanted().limit() + 1L;
    List<Object> arguments = new ArrayList<>();
    List<String> walks = new ArrayList<>();
    for (FieldSql.Part range : sql.metricRanges(descending)) {
      String where = where(way.wanted(), arguments);
      arguments.addAll(range.arguments());
      int part = walks.size();
      walks.add(
          ("select * from (select %s as place, sequence, metric as value, %d as part from trials%s"
                  + " and"
                  + " %s order by metric %s, sequence limit %d) as part%d")
              .formatted(
                  trials.place(),
                  part,
                  where,
                  range.sql(),
                  descending ? "desc" : "asc",
                  skipped + limit,
                  part));
    }
    String query =
        "select place, part, value from (%s) as parts order by %s limit %d offset ?"
            .formatted(String.join(" union all ", walks), metricOrder(descending), limit);
    arguments.add(skipped);
    return Statement.of(query, arguments.toArray());
  }

  private static long skipped(Way way, @Nullable Long from) {
    if (from != null) {
      return Math.max(0, from);
    }
    return way.wanted().offset() == null ? 0 : way.wanted().offset();
  }

  /**
   * What finds these rows.
   *
   * @param ordered by {@code value} and perhaps {@code sequence}
   * @return where they are as {@code place}, and what they go by as {@code value}
   */
  private Statement found(Way way, @Nullable Long from, String ordered) {
    Trials.ListSome wanted = way.wanted();
    TrialOrder order = way.order();
    FieldSql.Part value = sql.value(order.field());
    List<Object> arguments = new ArrayList<>(value.arguments());
    String where = where(wanted, arguments);
    boolean goesOn = from != null && way.bySequence();
    if (goesOn) {
      where += order.descending() ? " and sequence < ?" : " and sequence > ?";
      arguments.add(from);
    }
    String query =
        order.field() instanceof Standard
            // With the column itself in its place the engine may take the rows from an index.
            ? "select %s as place, %s as value from trials%s order by %s"
                .formatted(
                    trials.place(), value.sql(), where, ordered.replace("value", value.sql()))
            // Otherwise PostgreSQL would take the JSON apart once for each time that the order
            // names it.
            : "with found as materialized (select %s as place, sequence, %s as value from trials%s) select place, value from found order by %s"
                .formatted(trials.place(), value.sql(), where, ordered);
    arguments.add(goesOn ? 0L : skipped(way, from));
    // Of a limit that PostgreSQL does not see it thinks that it may be a tenth of all rows.
    long limit = wanted.limit() + 1L;
    return Statement.of(query + " limit " + limit + " offset ?", arguments.toArray());
  }

  private static Trials.Page page(
      Way way, @Nullable Long from, List<Trial> found, @Nullable Long total) {
    int limit = way.wanted().limit();
    if (found.size() <= limit) {
      return new Trials.Page(found, null, total);
    }
    List<Trial> shown = found.subList(0, limit);
    return new Trials.Page(shown, next(way, from, shown.getLast().sequenceId()), total);
  }

  private static String next(Way way, @Nullable Long from, long last) {
    Trials.ListSome wanted = way.wanted();
    long skipped = from != null ? from : wanted.offset() != null ? wanted.offset() : 0;
    return new Cursor(way.bySequence() ? last : skipped + wanted.limit(), way.mark()).text();
  }

  /** Which trials a list is about; adds what the question marks stand for to the arguments. */
  private String where(Trials.ListSome wanted, List<Object> arguments) {
    StringBuilder where = new StringBuilder(" where experiment = ?");
    arguments.add(wanted.experiment().value());
    if (wanted.status() != null) {
      where.append(" and status = ?");
      arguments.add(wanted.status().name());
    }
    if (wanted.query() != null) {
      where.append(
          " and (lower(id) like lower(?) escape '\\' or lower(parameter_sets) like lower(?) escape"
              + " '\\' or lower(status) like lower(?) escape '\\')");
      String pattern = "%" + wanted.query().replaceAll("([\\\\%_])", "\\\\$1") + "%";
      arguments.add(pattern);
      arguments.add(pattern);
      arguments.add(pattern);
    }
    wanted
        .where()
        .forEach(condition -> {
          FieldSql.Part part = sql.condition(condition);
          where.append(" and ").append(part.sql());
          arguments.addAll(part.arguments());
        });
    return where.toString();
  }

  /** The refusal of a cursor that another list gave. */
  private static Problem ofAnother(String order) {
    return new Problem.Refused(
        new Finding(
            "/cursor",
            "this cursor is from a list in another order, or narrowed otherwise: a cursor goes on"
                + " with the sort, status, q and where that it was given for (here sort="
                + order
                + "); to begin anew leave it out"));
  }
}
