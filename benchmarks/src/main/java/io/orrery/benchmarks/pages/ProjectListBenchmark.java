package io.orrery.benchmarks.pages;

import io.orrery.benchmarks.report.ResultTable;
import io.orrery.benchmarks.report.Scratch;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.journeys.ServerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A list of the 100 experiments of one project among many of others, asked for over HTTP. */
public final class ProjectListBenchmark {
  private static final int OWN = 100;
  private static final int WARM_UP = 1_000;
  private static final int ASKED = 201;

  private static final String EXPERIMENT =
      "{trialCommand: 'true', trialConcurrency: 1, maxTrialNumber: 1, searchSpace: {x: {_type:"
          + " choice, _value: [1]}}, tuner: {name: Random}, trainingService: {platform: local}}";

  /** The oldest belong to the project, so that no newest page has them. */
  private static final String COPIES =
      """
      insert into experiments (id, spec, status, counts, best, next_sequence, next_ordinal,
        next_number, created, ran_ms, created_at, started_at, ended_at, error, project, owner)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
      select 'x' || printf('%07d', i), spec, 'DONE', counts, best, next_sequence, next_ordinal,
        next_number, created, ran_ms, 1600000000000 + i * 1000, 1600000000000 + i * 1000,
        1600000000500 + i * 1000, null, case when i < ? then 'vision' else 'p' || (i % 200) end,
        'u' || (i % 100)
      from n, experiments where id = ?
      """;

  private final int others;

  public ProjectListBenchmark(int others) {
    this.others = others;
  }

  /** Runs it and prints the table; the keys of the JSON line. */
  public Map<String, Object> run() throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path home = scratch.path().resolve("home");
      String model;
      try (ServerProcess server = ServerProcess.start(home)) {
        server.send(HttpMethod.PUT.name(), "/projects/vision", BodyPublishers.ofString("{}"));
        model = server.post("/experiments?base=" + scratch.path(), EXPERIMENT).path("id").asText();
        server.awaitStatus(model, Duration.ofMinutes(1), "DONE");
      }
      fill(home.resolve("orrery.db"), model);
      try (ServerProcess server = ServerProcess.start(home)) {
        double median = median(server);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("experiments", others + OWN);
        line.put("medianMs", median);
        ResultTable table = new ResultTable("100 experiments of one project", "median ms");
        table.row("among " + others + " others", String.format(Locale.ROOT, "%.2f", median));
        System.out.println(table);
        return line;
      }
    }
  }

  private void fill(Path database, String model) {
    Vertx vertx = Vertx.vertx();
    try {
      SqliteStore store = SqliteStore.openKept(vertx, database);
      store
          .write(List.of(Statement.of(COPIES, others + OWN, OWN, model)))
          .eventually(store::close)
          .await();
    } finally {
      vertx.close().await();
    }
  }

  /** Milliseconds of a request with its answer. */
  private static double median(ServerProcess server) throws IOException, InterruptedException {
    String path = "/experiments?project=vision&limit=" + OWN;
    for (int i = 0; i < WARM_UP; i++) {
      server.get(path);
    }
    double[] times = new double[ASKED];
    for (int i = 0; i < ASKED; i++) {
      long start = System.nanoTime();
      int items = server.get(path).path("items").size();
      times[i] = (System.nanoTime() - start) / 1e6;
      if (items != OWN) {
        throw new IOException("not a page of %d at %s: %d".formatted(OWN, path, items));
      }
    }
    Arrays.sort(times);
    return times[ASKED / 2];
  }
}
