package io.orrery.orchestrator.experiment.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.Direction;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists and columns of many trials, from a real table. */
class TrialListsIT {
  private static final ExperimentId ID = new ExperimentId("manymany");

  @TempDir Path directory;

  private final Vertx vertx = Vertx.vertx();
  private SqliteStore store;

  @BeforeEach
  void open() throws Exception {
    store = SqliteStore.open(vertx, directory.resolve("orrery.db"));
    ExperimentTable.MIGRATIONS.apply(store).await(20, SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    store.close().await(20, SECONDS);
    vertx.close().await(20, SECONDS);
  }

  private static Statement trial(int sequence, @Nullable Double metric, String parameters) {
    boolean settled = metric != null;
    return Statement.of(
        "insert into trials (experiment, id, sequence, phase, status, attempt, parameter_sets,"
            + " metric, created_at, started_at, ended_at, suggested, settled)"
            + " values (?, ?, ?, ?, ?, 1, ?, ?, 0, ?, ?, ?, ?)",
        ID.value(),
        "t" + Integer.toString(1_000_000 + sequence, 36),
        sequence,
        settled ? "SETTLED" : "RUNNING",
        settled ? "SUCCEEDED" : "RUNNING",
        "[{\"index\":0,\"parameterId\":\"1\",\"source\":\"algorithm\",\"values\":"
            + parameters
            + "}]",
        metric,
        sequence * 1_000L,
        settled ? sequence * 1_000L + 500 : null,
        sequence,
        settled ? 2_000_000L - sequence : null);
  }

  private void write(List<Statement> trials) throws Exception {
    store.write(trials).await(60, SECONDS);
  }

  private Trials.Points points(int most) throws Exception {
    return new TrialPoints(vertx, store)
        .of(new Trials.PointsOf(ID, null, null, most), Direction.MAXIMIZE)
        .await(60, SECONDS);
  }

  private Trials.Page page(String sort, @Nullable String cursor, int limit) throws Exception {
    return new TrialPages(store, new TrialTable(store))
        .page(new Trials.ListSome(ID, null, sort, null, cursor, limit))
        .await(20, SECONDS);
  }

  private static List<Long> sequences(Trials.Page page) {
    return page.items().stream().map(Trial::sequenceId).toList();
  }

  @Test
  void columnsStandInTheOrderOfSettlingWithTheBestSoFar() throws Exception {
    // What has a higher number settled earlier here.
    write(
        List.of(
            trial(0, 0.9, "{\"lr\":0.1,\"act\":\"relu\"}"),
            trial(1, null, "{\"lr\":0.2}"),
            trial(2, 0.3, "{\"lr\":0.3}"),
            trial(3, Double.NaN, "{\"act\":null}"),
            trial(4, 0.5, "{\"lr\":1}")));

    Trials.Points points = points(10);

    assertThat(points.total()).isEqualTo(5);
    assertThat(points.sequenceId()).containsExactly(4L, 3L, 2L, 0L, 1L);
    assertThat(points.metric()).containsExactly(0.5, Double.NaN, 0.3, 0.9, null);
    assertThat(points.best()).containsExactly(0.5, 0.5, 0.5, 0.9, null);
    assertThat(points.status().getLast()).isEqualTo(TrialStatus.RUNNING);
    assertThat(points.duration()).containsExactly(0.5, 0.5, 0.5, 0.5, null);
    assertThat(points.parameters().get("lr")).containsExactly(1, null, 0.3, 0.1, 0.2);
    assertThat(points.parameters().get("act")).containsExactly(null, null, null, "relu", null);
  }

  @Test
  void manyTrialsAreThinnedOut() throws Exception {
    Random random = new Random(1);
    List<Statement> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(trial(i, random.nextDouble(), "{\"lr\":" + i + "}"));
    }
    write(many);

    Trials.Points points = points(700);

    assertThat(points.total()).isEqualTo(3_000);
    assertThat(points.trial()).hasSize(700).doesNotHaveDuplicates();
    assertThat(points.parameters().get("lr")).hasSize(700);
    for (int i = 0; i < 700; i++) {
      assertThat(points.parameters().get("lr").get(i))
          .isEqualTo(points.sequenceId().get(i).intValue());
    }
  }

  @Test
  void anExperimentWithoutTrialsHasEmptyColumns() throws Exception {
    Trials.Points points = points(10);

    assertThat(points.total()).isZero();
    assertThat(points.trial()).isEmpty();
    assertThat(points.parameters()).isEmpty();
  }

  @Test
  void aListByAParameterHasNumbersThenWordsThenNothingAndPages() throws Exception {
    write(
        List.of(
            trial(0, 0.1, "{\"x\":10}"),
            trial(1, 0.1, "{\"x\":\"b\"}"),
            trial(2, 0.1, "{\"y\":1}"),
            trial(3, 0.1, "{\"x\":9.5}"),
            trial(4, 0.1, "{\"x\":{\"_name\":\"a\",\"z\":1}}")));

    assertThat(sequences(page("parameters.x", null, 10))).containsExactly(3L, 0L, 4L, 1L, 2L);
    assertThat(sequences(page("-parameters.x", null, 10))).containsExactly(0L, 3L, 1L, 4L, 2L);
    Trials.Page first = page("parameters.x", null, 2);
    Trials.Page second = page("parameters.x", first.next(), 2);
    Trials.Page third = page("parameters.x", second.next(), 2);
    assertThat(sequences(second)).containsExactly(4L, 1L);
    assertThat(sequences(third)).containsExactly(2L);
    assertThat(third.next()).isNull();
    assertThat(sequences(page("parameters.nowhere", null, 10))).containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void aListByAParameterLooksAtTheLastSetAndIsNotMisledByWhatStandsAround() throws Exception {
    write(
        List.of(
            trial(0, 0.1, "{\"x\":1}},{\"index\":1,\"source\":\"algorithm\",\"values\":{\"x\":5}"),
            trial(1, 0.1, "{\"y\":{\"x\":0,\"values\":{\"x\":0}},\"x\":[2,1]}"),
            trial(2, 0.1, "{\"index\":0,\"x\":true}"),
            trial(3, 0.1, "{\"x\":null}"),
            trial(4, 0.1, "{\"w\":\"x\",\"x\":4}")));

    assertThat(sequences(page("parameters.x", null, 10))).containsExactly(2L, 4L, 0L, 1L, 3L);
  }

  @Test
  void everyPageOfAListByAParameterGoesOnWhereTheOneBeforeEnded() throws Exception {
    Random random = new Random(3);
    List<Statement> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(trial(i, 0.5, "{\"x\":" + random.nextInt(40) + "}"));
    }
    write(many);
    List<Trial> all = new ArrayList<>();

    Trials.Page page = page("-parameters.x", null, 70);
    for (; page.next() != null; page = page("-parameters.x", page.next(), 70)) {
      all.addAll(page.items());
    }
    all.addAll(page.items());

    assertThat(all)
        .hasSize(500)
        .isSortedAccordingTo(
            Comparator.comparingInt(
                    (Trial trial) -> -(Integer) trial.current().values().values().get("x"))
                .thenComparingLong(Trial::sequenceId));
  }

  @Test
  void aListByMetricHasThoseWithoutOneLastEitherWay() throws Exception {
    write(
        List.of(
            trial(0, 0.5, "{}"), trial(1, null, "{}"), trial(2, 0.9, "{}"), trial(3, 0.1, "{}")));

    assertThat(sequences(page("metric", null, 10))).containsExactly(3L, 0L, 2L, 1L);
    assertThat(sequences(page("-metric", null, 10))).containsExactly(2L, 0L, 3L, 1L);
  }
}
