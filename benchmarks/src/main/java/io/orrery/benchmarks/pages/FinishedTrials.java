package io.orrery.benchmarks.pages;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives an experiment a long past without running it: rows as the server would have left them,
 * written into its database while it is down. One trial in twenty has failed.
 */
final class FinishedTrials {
  private static final String ROWS =
      """
      insert into trials (experiment, id, sequence, phase, status, attempt, reason, ending,
        not_before, parameter_sets, metric, metric_document, exit_code, directory, created_at,
        started_at, ended_at, suggested, settled)
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ? - 1)
      select ?, 't' || n, n, 'SETTLED', case n % 20 when 7 then 'FAILED' else 'SUCCEEDED' end, 1,
        null, null, null,
        '[{"index":0,"parameterId":"' || n || '","source":"algorithm","values":{"lr":'
          || printf('%.6f', (n * 7919 % 100003) / 100003.0) || ',"momentum":'
          || printf('%.6f', (n * 104729 % 100019) / 100019.0)
          || ',"layers":' || (n % 5 + 1) || ',"act":"' || substr('relutanhgelu', n % 3 * 4 + 1, 4)
          || '"}}]',
        case n % 20 when 7 then null else 0.9 - abs((n * 7919 % 100003) / 100003.0 - 0.3) end,
        null, 0, '/nowhere', 1700000000000 + n * 100, 1700000000000 + n * 100,
        1700000000000 + n * 100 + 500 + n * 31 % 2000, 2 * n + 1, 2 * n + 2
      from numbers
      """;

  private FinishedTrials() {}

  /** Writes them; the server of this home must be down. */
  static void write(Path home, String experiment, int count) {
    Vertx vertx = Vertx.vertx();
    try {
      SqliteStore store = SqliteStore.openKept(vertx, home.resolve("orrery.db"));
      int failed = count / 20;
      store
          .write(
              List.of(
                  Statement.of("delete from trials where experiment = ?", experiment),
                  Statement.of(ROWS, count, experiment),
                  Statement.of(
                      "update experiments set status = 'DONE', counts = ?, created = ?,"
                          + " next_sequence = ?, next_ordinal = ?, ended_at = created_at where id = ?",
                      "{\"SUCCEEDED\":" + (count - failed) + ",\"FAILED\":" + failed + "}",
                      count,
                      count,
                      2L * count + 1,
                      experiment)))
          .eventually(store::close)
          .await();
    } finally {
      vertx.close().await();
    }
  }
}
