package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Trial;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A list of trials in the order of one parameter: numbers before words, rows without it last. The
 * parameters are JSON, which the two engines take apart in different words; both find the one value
 * in all rows, and only the rows of the page are read whole.
 */
final class ParameterOrder {
  private static final String PREFIX = "parameters.";

  private final Store store;

  ParameterOrder(Store store) {
    this.store = store;
  }

  /** Whether a sort is by a parameter, either way round. */
  static boolean meant(String sort) {
    return sort.startsWith(PREFIX) || sort.startsWith("-" + PREFIX);
  }

  Future<Trials.Page> page(Trials.ListSome wanted, String sort) {
    long from = wanted.cursor() == null ? 0 : Math.max(0, Cursor.parse(wanted.cursor()).number());
    String parameter = sort.substring(sort.indexOf('.') + 1);
    List<Object> arguments = new ArrayList<>(List.of(parameter));
    String sql =
        "with found as materialized (select sequence, %s as value from trials%s) select sequence from found order by value is null, %s, sequence limit ? offset ?"
            .formatted(
                value(store.engine()),
                TrialTable.where(wanted, arguments),
                order(store.engine(), sort.startsWith("-") ? "desc" : "asc"));
    arguments.add(wanted.limit() + 1);
    arguments.add(from);
    return store
        .read(Statement.of(sql, arguments.toArray()), row -> row.integer("sequence"))
        .compose(sequences -> page(wanted, from, sequences));
  }

  private Future<Trials.Page> page(Trials.ListSome wanted, long from, List<Long> found) {
    if (found.isEmpty()) {
      return Future.succeededFuture(new Trials.Page(List.of(), null));
    }
    boolean more = found.size() > wanted.limit();
    List<Long> sequences = more ? found.subList(0, wanted.limit()) : found;
    String next = more ? new Cursor(from + wanted.limit(), "").text() : null;
    return new TrialTable(store)
        .some(wanted.experiment(), sequences)
        .map(trials -> new Trials.Page(inOrder(trials, sequences), next));
  }

  /**
   * The value of a parameter in a trial's last set: null where there is none, the name where it is
   * a branch, a truth as 0 or 1.
   */
  private static String value(Engine engine) {
    return switch (engine) {
      case SQLITE ->
          "(select case type when 'object' then json_extract(value, '$._name') else value end"
              + " from json_each(parameter_sets, '$[#-1].values') where key = ?)";
      case POSTGRESQL ->
          "(select case jsonb_typeof(v) when 'object' then v -> '_name' when 'null' then null"
              + " when 'boolean' then to_jsonb(cast(v as boolean)::int) else v end"
              + " from (select cast(parameter_sets as jsonb) -> -1 -> 'values' -> cast(? as text)) as x(v))";
    };
  }

  /** Numbers, then words: SQLite compares each kind with itself, PostgreSQL is told how. */
  private static String order(Engine engine, String way) {
    return switch (engine) {
      case SQLITE -> "typeof(value) = 'text', value " + way;
      case POSTGRESQL ->
          "jsonb_typeof(value) <> 'number',"
              + " case jsonb_typeof(value) when 'number' then cast(value as double precision) end "
              + way
              + ", (case jsonb_typeof(value) when 'number' then null else value #>> '{}' end)"
              + " collate \"C\" "
              + way;
    };
  }

  private static List<Trial> inOrder(List<Trial> trials, List<Long> sequences) {
    Map<Long, Trial> bySequence = new HashMap<>();
    trials.forEach(trial -> bySequence.put(trial.sequenceId(), trial));
    return sequences.stream().map(bySequence::get).filter(trial -> trial != null).toList();
  }
}
