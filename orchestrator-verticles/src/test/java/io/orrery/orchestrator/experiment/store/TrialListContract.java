package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.ID;
import static io.orrery.orchestrator.experiment.store.TableSamples.settled;
import static io.orrery.orchestrator.experiment.store.TableSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Trial;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of trials are in the same order on every engine. */
abstract class TrialListContract extends TablesFixture {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sequenceId  | 0 1 2 3 4 5",
        "-sequenceId | 5 4 3 2 1 0",
        "metric      | 0 4 1 2 3 5",
        "-metric     | 0 4 3 2 1 5",
        "endedAt     | 4 3 2 1 0 5",
        "-duration   | 0 1 2 3 4 5",
        "id          | 0 1 2 3 4 5",
        "-id         | 5 4 3 2 1 0",
        "status      | 0 1 2 3 4 5",
        "-status     | 5 0 1 2 3 4",
        "startedAt   | 0 1 2 3 4 5",
        "-attempt    | 0 1 2 3 4 5",
        "exitCode    | 0 1 2 3 4 5",
        "reason      | 5 0 1 2 3 4",
        "-parameterSource | 0 1 2 3 4 5",
        "metric.loss | 4 3 2 1 0 5",
        "-metric.loss | 0 1 2 3 4 5",
        "metric.note | 2 0 1 3 4 5",
      })
  void pagesAreInTheOrderThatIsAskedForAndWhatHasNoValueComesLast(String sort, String order)
      throws Exception {
    storeSix();

    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      Trials.Page page = await(pages.page(new Trials.ListSome(ID, null, sort, null, cursor, 2)));
      page.items().forEach(trial -> seen.add(String.valueOf(trial.sequenceId())));
      cursor = page.next();
    } while (cursor != null);

    assertThat(String.join(" ", seen)).isEqualTo(order);
  }

  /** C: NaN stood above all numbers, and infinity in the good direction above the best. */
  @ParameterizedTest
  @EnumSource
  void aListByMetricHasTheBestFirstByTheRuleOfDirections(Direction direction) throws Exception {
    List<Double> some =
        List.of(
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MAX_VALUE,
            -Double.MAX_VALUE,
            1e308,
            -1e308,
            Double.MIN_VALUE,
            -Double.MIN_VALUE,
            0.0,
            -0.0);
    Random random = new Random(direction.ordinal());
    for (int i = 0; i < 60; i++) {
      int which = random.nextInt(some.size() + 3);
      TrialState trial = trial(i);
      write(
          trials.save(
              which < some.size()
                  ? settled(trial, some.get(which))
                  : which == some.size() ? trial : settled(trial, random.nextGaussian())));
    }

    String sort = direction == Direction.MAXIMIZE ? "-metric" : "metric";
    List<Trial> seen = new ArrayList<>();
    String cursor = null;
    do {
      Trials.Page page = await(pages.page(new Trials.ListSome(ID, null, sort, null, cursor, 7)));
      seen.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);

    assertThat(seen).extracting(Trial::sequenceId).hasSize(60).doesNotHaveDuplicates();
    List<Double> metrics =
        seen.stream()
            .map(Trial::metric)
            .takeWhile(Objects::nonNull)
            .map(MetricValue::number)
            .toList();
    assertThat(seen.subList(metrics.size(), 60)).extracting(Trial::metric).containsOnlyNulls();
    assertThat(metrics).isSortedAccordingTo(direction.bestFirst());
    Experiment.Best best = await(trials.best(ID, direction)).orElseThrow();
    assertThat(seen.getFirst().ref().trial()).isEqualTo(best.trial());
  }

  @Test
  void aListByANumberBeyondAllDoublesIsNoError() throws Exception {
    storeSix();
    write(
        trials.save(settled(trial(6), new MetricValue(1, "{\"loss\":1" + "0".repeat(400) + "}"))));

    assertThat(
            sequences(
                await(pages.page(new Trials.ListSome(ID, null, "-metric.loss", null, null, 9)))))
        .isEqualTo("6 0 1 2 3 4 5");
  }

  @ParameterizedTest
  @CsvSource({"trial003, 3", "TRIAL003, 3", "Succ, 0 1 2 3 4", "'\"x\":5', 5", "%, ''", "_, ''"})
  void aSearchFindsIdsStatusAndParametersWhateverTheirCase(String query, String found)
      throws Exception {
    storeSix();

    List<String> seen =
        await(pages.page(new Trials.ListSome(ID, null, null, query, null, 100))).items().stream()
            .map(trial -> String.valueOf(trial.sequenceId()))
            .toList();

    assertThat(String.join(" ", seen)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource({
    "sequenceId, 3 4 5",
    "-sequenceId, 2 1 0",
    "-metric, 2 1 5",
    "parameters.x, 3 4 5",
    "id, 3 4 5",
  })
  void aPageMayBeginAtAnOffsetAndGoOnFromThere(String sort, String order) throws Exception {
    storeSix();

    Trials.Page first =
        await(pages.page(new Trials.ListSome(ID, null, sort, null, List.of(), null, 3L, true, 2)));
    Trials.Page rest =
        await(pages.page(new Trials.ListSome(ID, null, sort, null, first.next(), 2)));
    Trials.Page beyond =
        await(pages.page(new Trials.ListSome(ID, null, sort, null, List.of(), null, 6L, true, 2)));

    assertThat(sequences(first) + " " + sequences(rest)).isEqualTo(order);
    assertThat(first.total()).isEqualTo(6);
    assertThat(rest.next()).isNull();
    assertThat(rest.total()).isNull();
    assertThat(beyond.items()).isEmpty();
    assertThat(beyond.total()).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sequenceId", "-sequenceId", "metric", "-metric"})
  void aPageOfManyIsTakenFromAnIndex(String sort) throws Exception {
    write(
        List.of(
            Statement.of(
                "insert into trials (experiment, id, sequence, phase, status, attempt,"
                    + " parameter_sets, metric, created_at, suggested, settled)"
                    + " with recursive many (i) as"
                    + " (select 0 union all select i + 1 from many where i < 4999)"
                    + " select cast(? as text), 't' || i, i, 'SETTLED', 'SUCCEEDED', 1,"
                    + " '[{\"index\":0,\"source\":\"algorithm\",\"values\":{}}]',"
                    + " case when i < 4990 then i % 1000 end, 0, i, i from many",
                ID.value()),
            Statement.of("analyze trials")));
    Watched watched = new Watched(store, new ArrayList<>());

    Trials.Page page =
        await(
            new TrialPages(watched, new TrialTable(watched))
                .page(new Trials.ListSome(ID, null, sort, null, null, 3)));

    assertThat(sequences(page))
        .isEqualTo(
            switch (sort) {
              case "sequenceId" -> "0 1 2";
              case "-sequenceId" -> "4999 4998 4997";
              case "metric" -> "0 1000 2000";
              default -> "999 1999 2999";
            });
    assertThat(watched.questions()).hasSize(1);
    assertThat(plan(watched.questions().getFirst()))
        .anyMatch(step -> step.contains(sort.contains("metric") ? "_by_metric" : "_by_sequence"))
        .noneMatch(step -> step.contains("SCAN trials") || step.contains("Seq Scan"));
  }

  /** How the engine goes about a question. */
  private List<String> plan(Statement question) throws Exception {
    String explain = store.engine() == Engine.SQLITE ? "explain query plan " : "explain ";
    String column = store.engine() == Engine.SQLITE ? "detail" : "QUERY PLAN";
    return await(
        store.read(
            Statement.of(explain + question.sql(), question.arguments().toArray()),
            row -> row.text(column)));
  }

  /** A store that keeps what it was asked. */
  private record Watched(Store inner, List<Statement> questions) implements Store {
    @Override
    public Engine engine() {
      return inner.engine();
    }

    @Override
    public Future<Void> write(List<Statement> statements) {
      return inner.write(statements);
    }

    @Override
    public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
      questions.add(query);
      return inner.read(query, each);
    }

    @Override
    public Future<Void> probe() {
      return inner.probe();
    }

    @Override
    public Future<Void> close() {
      return inner.close();
    }
  }
}
