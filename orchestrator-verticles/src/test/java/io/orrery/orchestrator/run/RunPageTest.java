package io.orrery.orchestrator.run;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.contract.PipelineRuns.AskEnded;
import io.orrery.core.bus.contract.PipelineRuns.ListRuns;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.orchestrator.bundle.CodeUses;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the list of runs page by page. */
class RunPageTest {
  private static final int RUNS = 25;

  @TempDir Path home;
  private Vertx vertx;
  private Store store;
  private RunTable table;

  /** Five runs at each of five instants; every fifth one has failed. */
  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, home.resolve("orrery.db"));
    success(RunTable.MIGRATIONS.apply(store));
    success(CodeUses.MIGRATIONS.apply(store));
    success(AlertRows.MIGRATIONS.apply(store));
    table = new RunTable(store);
    RunSpec spec = RunSpecs.run(1, RunSpecs.Step.named("train"));
    success(
        table.write(RunStatements.insert(spec, RunState.NEW, RunModel.fresh(spec), Instant.EPOCH)));
    for (int n = 0; n < RUNS; n++) {
      success(
          table.write(
              List.of(
                  Statement.of(
                      "insert into runs select ?, pipeline, version, project, owner, creator,"
                          + " cause, due, parameters, ?, 0, ?, null, null, null, spec from runs"
                          + " where run = ?",
                      name(n),
                      n % 5 == 0 ? "FAILED" : "SUCCEEDED",
                      1_000L + n / 5,
                      spec.id().value()))));
    }
    success(
        table.write(List.of(Statement.of("delete from runs where run = ?", spec.id().value()))));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private static String name(int number) {
    return "run%02d".formatted(number);
  }

  private List<String> all(@Nullable RunStatus status, int limit) throws Exception {
    List<String> found = new ArrayList<>();
    String cursor = null;
    do {
      List<Run> rows =
          success(table.page(new ListRuns(null, null, null, status, null, null, cursor, limit)));
      boolean more = rows.size() > limit;
      List<Run> page = more ? rows.subList(0, limit) : rows;
      page.forEach(run -> found.add(run.id().value()));
      cursor = more ? RunCursor.of(page.getLast()).toString() : null;
    } while (cursor != null);
    return found;
  }

  @Test
  void pagesThatEndAmongRunsOfOneInstantHaveEachRunOnce() throws Exception {
    List<String> newestFirst = IntStream.range(0, RUNS).mapToObj(n -> name(RUNS - 1 - n)).toList();

    assertThat(all(null, 3)).isEqualTo(newestFirst);
    assertThat(all(null, 100)).isEqualTo(newestFirst);
    assertThat(all(RunStatus.FAILED, 2))
        .containsExactly("run20", "run15", "run10", "run05", "run00");
  }

  @Test
  void runsThatWereOverBeforeATimeComeOldestFirst() throws Exception {
    success(
        table.write(
            List.of(
                Statement.of("update runs set ended_at = created_at + 1"),
                Statement.of("update runs set moving = 1, ended_at = null where run = 'run03'"),
                Statement.of("update runs set ended_at = 5000 where run = 'run04'"))));
    Instant before = Instant.ofEpochMilli(1_002);

    List<Run> first = success(RunReads.ended(table, new AskEnded(before, null, 2)));
    assertThat(first).extracting(run -> run.id().value()).containsExactly("run00", "run01");
    String cursor = RunCursor.of(first.getLast()).toString();
    assertThat(success(RunReads.ended(table, new AskEnded(before, cursor, 10))))
        .extracting(run -> run.id().value())
        .containsExactly("run02");
  }

  @Test
  void noFilterLooksAtAllRuns() throws Exception {
    for (String filter : List.of("status", "owner", "cause", "pipeline", "project")) {
      List<String> plan =
          success(
              store.read(
                  Statement.of(
                      "explain query plan select run from runs where (created_at, run) < (?, ?) and "
                          + filter
                          + " = ? order by created_at desc, run desc limit 51",
                      2_000L,
                      "r",
                      "x"),
                  row -> row.text("detail")));
      assertThat(plan).as(filter).singleElement().asString().startsWith("SEARCH").contains(filter);
    }
  }
}
