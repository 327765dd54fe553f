package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Trial;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A list of trials in the order of one parameter: numbers before words, rows without it last. The
 * parameters are JSON, which the two engines take apart in different words; so the one value is
 * taken out here, row by row as they are read, and only the rows of the page are read whole.
 *
 * <p>It costs a walk over the experiment's trials for each page, so the walk is made light: {@link
 * ParameterValue} reads past what is not asked for, and of what was read only as many rows are kept
 * and put in order as come before the page's end.
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

  private record Key(long sequence, @Nullable Double number, @Nullable String word) {
    static Key of(Row row, String parameter) {
      Object value = ParameterValue.in(row.text("parameter_sets"), parameter);
      long sequence = row.integer("sequence");
      return switch (value) {
        case null -> new Key(sequence, null, null);
        case Number number -> new Key(sequence, number.doubleValue(), null);
        default -> new Key(sequence, null, value.toString());
      };
    }

    int rank() {
      return number != null ? 0 : word != null ? 1 : 2;
    }
  }

  Future<Trials.Page> page(Trials.ListSome wanted, String sort) {
    boolean descending = sort.startsWith("-");
    String parameter = sort.substring(sort.indexOf('.') + 1);
    int from =
        wanted.cursor() == null
            ? 0
            : Math.clamp(Cursor.parse(wanted.cursor()).number(), 0, Integer.MAX_VALUE - 1_000);
    List<Object> arguments = new ArrayList<>();
    String sql =
        "select sequence, parameter_sets from trials" + TrialTable.where(wanted, arguments);
    return store
        .read(Statement.of(sql, arguments.toArray()), row -> Key.of(row, parameter))
        .compose(keys -> {
          int end = Math.min(from + wanted.limit(), keys.size());
          List<Key> ordered = first(end, keys, order(descending));
          List<Long> sequences =
              ordered.subList(Math.min(from, end), end).stream().map(Key::sequence).toList();
          String next = end < keys.size() ? new Cursor(end, "").text() : null;
          return sequences.isEmpty()
              ? Future.succeededFuture(new Trials.Page(List.of(), null))
              : new TrialTable(store)
                  .some(wanted.experiment(), sequences)
                  .map(trials -> new Trials.Page(inOrder(trials, sequences), next));
        });
  }

  /** The first so many in an order, in that order. */
  private static List<Key> first(int count, List<Key> keys, Comparator<Key> order) {
    // Its head is the last of those that were kept: what comes after it is let go at once.
    PriorityQueue<Key> kept = new PriorityQueue<>(count + 1, order.reversed());
    for (Key key : keys) {
      if (kept.size() < count) {
        kept.add(key);
      } else if (count > 0 && order.compare(key, kept.element()) < 0) {
        kept.remove();
        kept.add(key);
      }
    }
    List<Key> ordered = new ArrayList<>(kept);
    ordered.sort(order);
    return ordered;
  }

  private static Comparator<Key> order(boolean descending) {
    Comparator<Key> values =
        Comparator.comparing(Key::number, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Key::word, Comparator.nullsLast(Comparator.naturalOrder()));
    return Comparator.comparingInt(Key::rank)
        .thenComparing(descending ? values.reversed() : values)
        .thenComparingLong(Key::sequence);
  }

  private static List<Trial> inOrder(List<Trial> trials, List<Long> sequences) {
    Map<Long, Trial> bySequence = new HashMap<>();
    trials.forEach(trial -> bySequence.put(trial.sequenceId(), trial));
    return sequences.stream().map(bySequence::get).filter(trial -> trial != null).toList();
  }
}
