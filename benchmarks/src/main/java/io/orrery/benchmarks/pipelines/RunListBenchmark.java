package io.orrery.benchmarks.pipelines;

import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.journeys.ServerProcess;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Pages of a list of many finished runs, asked for over HTTP, and the start of a server with it.
 */
public final class RunListBenchmark {
  private static final int WARM_UP = 1_000;
  private static final int ASKED = 201;

  /** One in a thousand has failed, and 50 were stopped at the very beginning. */
  private static final String FILL =
      """
      insert into runs (run, pipeline, version, project, owner, creator, cause, due, parameters,
        status, moving, created_at, started_at, ended_at, error, spec)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
      select 'r' || printf('%09d', (i * 7919) % 1000000007), 'p' || (i % 200), 1, 'public',
        'u' || (i % 100), 'u1', 'manual', null, '{"epochs":3}',
        case when i < 50 then 'STOPPED' when i % 1000 = 7 then 'FAILED' else 'SUCCEEDED' end,
        0, 1700000000000 + i * 1000, 1700000000000 + i * 1000, 1700000000500 + i * 1000, null,
        '{}' from n
      """;

  private static final List<Page> PAGES =
      List.of(
          new Page("newest", ""),
          new Page("of a pipeline", "&pipeline=p7"),
          new Page("of a user", "&owner=u7"),
          new Page("failed", "&status=FAILED"),
          new Page("stopped, the oldest", "&status=STOPPED"));

  /** A page that is asked for. */
  private record Page(String name, String query) {}

  private final int runs;

  public RunListBenchmark(int runs) {
    this.runs = runs;
  }

  /** Runs it, prints the table, and returns the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path home = scratch.path().resolve("home");
      ServerProcess.start(home).close();
      fill(home.resolve("orrery.db"));
      long start = System.nanoTime();
      try (ServerProcess server = ServerProcess.start(home)) {
        double ready = (System.nanoTime() - start) / 1e9;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("runs", runs);
        line.put("readySeconds", ready);
        ResultTable table = new ResultTable("page of 50 of " + runs + " runs", "median ms");
        for (Page page : PAGES) {
          double median = median(server, "/runs?limit=50" + page.query());
          line.put(page.name(), median);
          table.row(page.name(), String.format(Locale.ROOT, "%.2f", median));
        }
        table.row("ready after a start, s", String.format(Locale.ROOT, "%.2f", ready));
        System.out.println(table);
        return line;
      }
    }
  }

  private void fill(Path database) {
    Vertx vertx = Vertx.vertx();
    try {
      SqliteStore store = SqliteStore.openKept(vertx, database);
      store.write(List.of(Statement.of(FILL, runs))).eventually(store::close).await();
    } finally {
      vertx.close().await();
    }
  }

  /** The median of the milliseconds from a request to the end of its answer. */
  private static double median(ServerProcess server, String path)
      throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UP; i++) {
      server.get(path);
    }
    double[] times = new double[ASKED];
    for (int i = 0; i < ASKED; i++) {
      long start = System.nanoTime();
      if (server.get(path).path("items").size() != 50) {
        throw new IOException("not a page of 50 at " + path);
      }
      times[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(times);
    return times[ASKED / 2];
  }
}
