package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.ID;
import static io.orrery.orchestrator.experiment.store.TableSamples.START;
import static io.orrery.orchestrator.experiment.store.TableSamples.settled;
import static io.orrery.orchestrator.experiment.store.TableSamples.spec;
import static io.orrery.orchestrator.experiment.store.TableSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialField.MetricKey;
import io.orrery.core.trial.TrialField.Parameter;
import io.orrery.core.trial.TrialField.Standard;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables answer alike on every engine. */
abstract class TablesContract {

  @TempDir Path directory;
  private Vertx vertx;
  Store store;
  private ExperimentTable experiments;
  private TrialTable trials;
  private TrialPages pages;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void openTables() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    await(ExperimentTable.MIGRATIONS.apply(store));
    experiments = new ExperimentTable(store);
    trials = new TrialTable(store);
    pages = new TrialPages(store, trials);
  }

  @AfterEach
  void closeTables() throws Exception {
    await(store.close());
    await(vertx.close());
  }

  // ---- experiments ---------------------------------------------------------------------------

  @Test
  void anExperimentComesBackAsItWasStored() throws Exception {
    ExperimentRecord fresh = ExperimentRecord.of(ID, spec("first"), START);
    ExperimentRecord later =
        new ExperimentRecord(
            ID,
            ResourceOwner.PUBLIC,
            spec("renamed"),
            ExperimentStatus.ERROR,
            Map.of(TrialStatus.SUCCEEDED, 3L, TrialStatus.FAILED, 1L),
            new Experiment.Best(
                new TrialId("t0000001"), MetricValue.of(0.1), new Parameters(Map.of("x", 7))),
            5,
            9_000_000_000L,
            4,
            4,
            2,
            Duration.ofMillis(1_234),
            START.plusMillis(5),
            START,
            START.plusMillis(1),
            START.plusMillis(2),
            "the platform is gone: 'ü'");

    write(experiments.insert(fresh, null));
    assertThat(await(experiments.find(ID))).contains(fresh);
    write(experiments.update(later, true));
    assertThat(await(experiments.find(ID))).contains(later);
    write(experiments.update(fresh, false));

    assertThat(await(experiments.find(ID)).orElseThrow().spec()).isEqualTo(spec("renamed"));
    assertThat(await(experiments.find(new ExperimentId("exp00002")))).isEmpty();
  }

  @Test
  void anIdIsTakenOnce() throws Exception {
    write(experiments.insert(ExperimentRecord.of(ID, spec("first"), START), null));

    assertThatThrownBy(
            () -> write(experiments.insert(ExperimentRecord.of(ID, spec("again"), START), null)))
        .hasMessageContaining("the store refused");
  }

  @Test
  void pagesGoFromTheNewestToTheOldestAndMissNone() throws Exception {
    for (int i = 0; i < 7; i++) {
      Instant created = START.plusSeconds(i / 2); // two at a time
      write(
          experiments.insert(
              ExperimentRecord.of(new ExperimentId("exp0000" + i), spec("n"), created), null));
    }

    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      Experiments.Page page = await(experiments.page(Experiments.ListAll.of(cursor, 2), START));
      page.items().forEach(experiment -> seen.add(experiment.id().value()));
      cursor = page.next();
    } while (cursor != null);

    assertThat(seen)
        .containsExactly(
            "exp00006", "exp00004", "exp00005", "exp00002", "exp00003", "exp00000", "exp00001");
    assertThat(await(experiments.unfinished(""))).hasSize(7);
  }

  @Test
  void whatBelongsToAnotherMachineIsLeftToIt() throws Exception {
    ExperimentId other = new ExperimentId("exp00002");
    ExperimentId free = new ExperimentId("exp00003");
    ExperimentRecord over = ExperimentRecord.of(new ExperimentId("exp00004"), spec("over"), START);
    write(experiments.insert(ExperimentRecord.of(ID, spec("here"), START), "here"));
    write(experiments.insert(ExperimentRecord.of(other, spec("there"), START), "there"));
    write(experiments.insert(ExperimentRecord.of(free, spec("anywhere"), START), null));
    write(experiments.insert(over, "there"));
    write(Statement.of("update experiments set status = 'DONE' where id = ?", over.id().value()));

    assertThat(await(experiments.unfinished("here"))).containsExactly(ID, free);
    assertThat(await(experiments.unfinished(""))).containsExactly(ID, other, free);
    assertThat(await(experiments.host(other))).contains("there");
    assertThat(await(experiments.host(free))).isEmpty();
    assertThat(await(experiments.host(over.id()))).as("nothing of it runs").isEmpty();

    write(experiments.belongTo(other, "here"));
    assertThat(await(experiments.unfinished("here"))).containsExactly(ID, other, free);
  }

  // ---- trials --------------------------------------------------------------------------------

  @Test
  void aTrialComesBackAsItWasStored() throws Exception {
    TrialState planned = trial(0);
    write(trials.save(planned));
    TrialState.Stored settled =
        new TrialState.Stored(
            Phase.SETTLED,
            TrialStatus.SUCCEEDED,
            2,
            "a reason",
            TrialStatus.SUCCEEDED,
            START.plusMillis(1),
            new MetricValue(Double.NaN, "{\"default\":\"NaN\"}"),
            3,
            "/a directory",
            START.plusMillis(2),
            START.plusMillis(3),
            9_000_000_000L);

    assertThat(await(trials.find(planned.ref)).orElseThrow().stored()).isEqualTo(planned.stored());
    assertThat(await(trials.moving(ID))).hasSize(1);
    write(trials.save(planned.restore(settled)));
    TrialState back = await(trials.find(planned.ref)).orElseThrow();

    assertThat(back.stored()).isEqualTo(settled);
    assertThat(back.view()).isEqualTo(planned.view());
    assertThat(await(trials.moving(ID))).isEmpty();
    write(trials.delete(planned.ref));
    assertThat(await(trials.find(planned.ref))).isEmpty();
  }

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

  @Test
  void aTrialWhoseRowIsKnownIsChangedThere() throws Exception {
    TrialState trial = trial(0);
    write(trials.save(trial));
    TrialState.Stored planned = trial.stored();
    TrialState.Stored running = at(Phase.RUNNING, TrialStatus.RUNNING, null, null);
    TrialState.Stored settled =
        at(Phase.SETTLED, TrialStatus.SUCCEEDED, MetricValue.of(0.5), 9_000_000_000L);
    TrialState.Stored corrected =
        at(Phase.SETTLED, TrialStatus.SUCCEEDED, MetricValue.of(Double.NaN), 9_000_000_000L);
    TrialState.Stored again = at(Phase.PLANNED, TrialStatus.WAITING, null, null);

    for (TrialState.Stored next :
        List.of(planned, running, running, settled, settled, corrected, again, running, settled)) {
      trial.rowIs(trial.stored()).restore(next);
      write(trials.save(trial));
      TrialState back = await(trials.find(trial.ref)).orElseThrow();
      assertThat(back.stored()).isEqualTo(next);
      assertThat(back.row()).isEqualTo(next);
      assertThat(back.sets()).isEqualTo(trial.sets());
    }
    write(trials.delete(trial.ref));
    trial.rowIs(settled);
    assertThatThrownBy(() -> write(trials.save(trial))).hasMessageContaining("rows");
    trial.rowIs(null);
    write(trials.save(trial));
    assertThat(await(trials.find(trial.ref)).orElseThrow().stored()).isEqualTo(settled);
  }

  private static TrialState.Stored at(
      Phase phase, TrialStatus status, @Nullable MetricValue metric, @Nullable Long settled) {
    return new TrialState.Stored(
        phase, status, 1, "why", null, null, metric, null, "/there", START, null, settled);
  }

  @Test
  void aTrialOfSeveralSetsStandsInTheHistoryWithItsSets() throws Exception {
    TrialState one = trial(0);
    TrialState several = trial(1);
    several.submit();
    several.start(START, "/there");
    LongSupplier ordinals = LongStream.iterate(10, n -> n + 1).iterator()::next;
    several.goOn(several.sets().all().getFirst(), MetricValue.of(0.5), ordinals);
    several.give(further(1), ordinals);
    write(trials.save(one));
    write(trials.save(several));

    TrialState back = await(trials.find(several.ref)).orElseThrow();
    assertThat(back.sets()).isEqualTo(several.sets());
    assertThat(await(trials.moving(ID)))
        .extracting(TrialState::sets)
        .containsExactly(one.sets(), several.sets());
    assertThat(history()).containsExactly("1 + 0", "3 + 1", "10 1 SUCCEEDED 0.5", "11 + further1");

    several.goOn(several.sets().all().getLast(), MetricValue.of(0.9), ordinals);
    several.give(further(2), ordinals);
    several.end(START, 1, null);
    several.settle(
        TrialStatus.FAILED, MetricValue.of(0.1), "further2", Direction.MAXIMIZE, ordinals);
    write(trials.save(several));

    assertThat(history())
        .containsExactly(
            "1 + 0",
            "3 + 1",
            "10 1 SUCCEEDED 0.5",
            "11 + further1",
            "12 further1 SUCCEEDED 0.9",
            "13 + further2",
            "14 further2 FAILED 0.1");
    back = await(trials.find(several.ref)).orElseThrow();
    assertThat(back.sets()).isEqualTo(several.sets());
    assertThat(back.view()).isEqualTo(several.view());
    assertThat(back.view().counted().parameterId()).isEqualTo("further1");
    write(trials.deleteBefore(ID, 2));
    assertThat(history()).isEmpty();
    assertThat(
            await(
                store.read(
                    Statement.of("select count(*) as n from trial_sets"), row -> row.integer("n"))))
        .containsExactly(0L);
  }

  private static ParameterSet further(int index) {
    return new ParameterSet(
        index, "further" + index, ParameterSource.ALGORITHM, new Parameters(Map.of("x", index)));
  }

  private List<String> history() throws Exception {
    return await(trials.history(new Trials.ReadHistory(ID, 0, 100))).entries().stream()
        .map(entry ->
            switch (entry) {
              case Trials.Suggested(long at, String id, var values) -> at + " + " + id;
              case Trials.Settled end ->
                  end.ordinal()
                      + " "
                      + end.parameterId()
                      + " "
                      + end.status()
                      + " "
                      + end.result().number();
            })
        .toList();
  }

  @Test
  void aCursorGoesOnOnlyInTheListThatGaveIt() throws Exception {
    storeSix();
    String cursor =
        await(pages.page(new Trials.ListSome(ID, null, "-metric", null, null, 2))).next();
    TrialCondition more = condition(Standard.METRIC, Comparison.MORE, 0.0);

    for (Trials.ListSome other :
        List.of(
            new Trials.ListSome(ID, null, "metric", null, cursor, 2),
            new Trials.ListSome(ID, null, null, null, cursor, 2),
            new Trials.ListSome(ID, TrialStatus.FAILED, "-metric", null, cursor, 2),
            new Trials.ListSome(
                ID, null, "-metric", null, List.of(more), cursor, null, false, 2))) {
      assertThatThrownBy(() -> await(pages.page(other)))
          .hasMessageContaining("from a list in another order")
          .hasMessageContaining("leave it out");
    }
    assertThat(
            sequences(await(pages.page(new Trials.ListSome(ID, null, "-metric", null, cursor, 2)))))
        .isEqualTo("3 2");
  }

  @ParameterizedTest
  @MethodSource("conditions")
  void conditionsNarrowAList(List<TrialCondition> where, String expected) throws Exception {
    storeSix();
    write(trials.save(trial(6, new Parameters(Map.of("act", "relu", "deep", true)))));
    write(
        trials.save(
            trial(7, new Parameters(Map.of("act", "tanh", "x", "5", "b", Map.of("_name", "k"))))));

    Trials.Page page =
        await(pages.page(new Trials.ListSome(ID, null, null, null, where, null, null, true, 100)));

    assertThat(sequences(page)).isEqualTo(expected);
    assertThat(page.total()).isEqualTo(page.items().size());
  }

  /** G3. */
  @Test
  void tagsNarrowAndOrderAListAndNotesComeBackAsTheyWereStored() throws Exception {
    storeSix();
    AnnotationTable annotations = new AnnotationTable(store);
    Annotations.Of third = new Annotations.Of(ID, new TrialId("trial003"));
    Annotations.Of first = new Annotations.Of(ID, new TrialId("trial001"));
    Annotations.Of itself = new Annotations.Of(ID, null);
    write(annotate(third, "odd\nloss", List.of("b", "é", "a")));
    write(annotate(first, null, List.of("b")));
    write(annotate(itself, "all of it", null));
    write(annotate(third, null, List.of("a", "b")));

    assertThat(await(annotations.find(third)))
        .isEqualTo(new Annotations.Annotation("odd\nloss", List.of("a", "b"), START));
    assertThat(await(annotations.find(itself)))
        .isEqualTo(new Annotations.Annotation("all of it", List.of(), START));
    assertThat(await(annotations.ofTrials(ID, List.of(new TrialId("trial001"), new TrialId("x")))))
        .isEqualTo(new Annotations.Tags(Map.of("trial001", List.of("b"))));
    assertThat(await(annotations.ofExperiments(List.of(ID))).byId()).isEmpty();
    assertThat(tagged(Comparison.EQUAL, "a", "z")).isEqualTo("3");
    assertThat(tagged(Comparison.EQUAL, "b")).isEqualTo("1 3");
    assertThat(tagged(Comparison.UNEQUAL, "a")).isEqualTo("0 1 2 4 5");
    assertThat(tagged(Comparison.MORE, "a")).isEqualTo("1 3");
    Trials.Page ordered = await(pages.page(new Trials.ListSome(ID, null, "tag", null, null, 100)));
    assertThat(sequences(ordered)).isEqualTo("3 1 0 2 4 5");

    write(AnnotationTable.delete(ID));
    assertThat(await(annotations.find(third))).isEqualTo(Annotations.Annotation.NONE);
    assertThat(tagged(Comparison.EQUAL, "b")).isEmpty();
  }

  private static List<Statement> annotate(
      Annotations.Of of, @Nullable String note, @Nullable List<String> tags) {
    return AnnotationTable.change(new Annotations.Change(of, note, tags), START);
  }

  private String tagged(Comparison comparison, Object... tags) throws Exception {
    List<TrialCondition> where = List.of(condition(Standard.TAG, comparison, tags));
    return sequences(
        await(pages.page(new Trials.ListSome(ID, null, null, null, where, null, null, true, 100))));
  }

  static Stream<Arguments> conditions() {
    Parameter x = new Parameter("x");
    Parameter act = new Parameter("act");
    MetricKey loss = new MetricKey("loss");
    return Stream.of(
        one("0 1 4", Standard.METRIC, Comparison.MORE, 0.0),
        one("0 1 4", Standard.METRIC, Comparison.AT_LEAST, 0.5),
        one("3", Standard.METRIC, Comparison.LESS, 0.5),
        one("0 3 4", Standard.METRIC, Comparison.AT_MOST, 0.5),
        one("0 1 3 4", Standard.METRIC, Comparison.AT_MOST, Double.POSITIVE_INFINITY),
        one("0 4", Standard.METRIC, Comparison.EQUAL, 0.5),
        one("1 2 3", Standard.METRIC, Comparison.UNEQUAL, 0.5),
        one("2 3", Standard.SEQUENCE_ID, Comparison.EQUAL, 2.0, 3.0),
        one("2 3 4 5 6 7", Standard.SEQUENCE_ID, Comparison.AT_LEAST, 2.0),
        one("3 4 5 6 7", Standard.SEQUENCE_ID, Comparison.AT_LEAST, 2.5),
        one("0 1 2", Standard.SEQUENCE_ID, Comparison.LESS, 2.5),
        one("", Standard.SEQUENCE_ID, Comparison.EQUAL, 2.5),
        one("", Standard.SEQUENCE_ID, Comparison.MORE, 1e18),
        one("0 1", Standard.DURATION, Comparison.AT_LEAST, 98.5),
        one("4", Standard.ENDED_AT, Comparison.LESS, (double) START.plusSeconds(97).toEpochMilli()),
        one("5 6 7", Standard.STATUS, Comparison.EQUAL, "WAITING", "FAILED"),
        one("0 1 2 3 4", Standard.STATUS, Comparison.UNEQUAL, "WAITING"),
        one("2", Standard.ID, Comparison.EQUAL, "trial002"),
        one("0 1 2 3 4", Standard.EXIT_CODE, Comparison.EQUAL, 0.0),
        one("0 1 2 3 4 5 6 7", Standard.PARAMETER_SOURCE, Comparison.EQUAL, "algorithm"),
        one("3 4 5", x, Comparison.MORE, 2.0),
        one("0 1", x, Comparison.LESS, 2.0),
        one("5 7", x, Comparison.EQUAL, 5.0, "5"),
        one("0 1 2 3 4 7", x, Comparison.UNEQUAL, 5.0),
        one("7", x, Comparison.AT_LEAST, "4"),
        one("6", act, Comparison.EQUAL, "relu"),
        one("7", act, Comparison.UNEQUAL, "relu"),
        one("6", new Parameter("deep"), Comparison.EQUAL, 1.0),
        one("7", new Parameter("b"), Comparison.EQUAL, "k"),
        one("", new Parameter("no'\"such$.x"), Comparison.EQUAL, 1.0),
        one("0 1", loss, Comparison.MORE, 0.75),
        one("2", new MetricKey("note"), Comparison.EQUAL, "bare"),
        Arguments.of(
            List.of(
                condition(x, Comparison.AT_LEAST, 1.0),
                condition(x, Comparison.LESS, 4.0),
                condition(Standard.METRIC, Comparison.LESS, 1.0)),
            "3"));
  }

  private static Arguments one(
      String expected, TrialField field, Comparison comparison, Object... values) {
    return Arguments.of(List.of(condition(field, comparison, values)), expected);
  }

  private static TrialCondition condition(
      TrialField field, Comparison comparison, Object... values) {
    return new TrialCondition(field, comparison, List.of(values));
  }

  private static String sequences(Trials.Page page) {
    return page.items().stream()
        .map(trial -> String.valueOf(trial.sequenceId()))
        .collect(Collectors.joining(" "));
  }

  @Test
  void aStatusNarrowsAPage() throws Exception {
    storeSix();

    assertThat(
            await(pages.page(new Trials.ListSome(ID, TrialStatus.WAITING, null, null, null, 100)))
                .items())
        .extracting(Trial::sequenceId)
        .containsExactly(5L);
  }

  @ParameterizedTest
  @CsvSource({"parameters.x,2 1 0 4 3 5 6", "-parameters.x,0 1 2 3 4 5 6"})
  void aListByAParameterHasNumbersThenWordsThenNothing(String sort, String order) throws Exception {
    List<Parameters> values =
        List.of(
            new Parameters(Map.of("x", 10)),
            new Parameters(Map.of("x", 9.5)),
            new Parameters(Map.of("x", false, "y", 100)),
            new Parameters(Map.of("x", "b")),
            new Parameters(Map.of("x", Map.of("_name", "a", "x", 3))),
            new Parameters(Map.of("y", Map.of("x", 1))),
            new Parameters(Map.of("z \"'$.", 1)));
    for (int i = 0; i < values.size(); i++) {
      write(trials.save(trial(i, values.get(i))));
    }
    List<Long> expected = Stream.of(order.split(" ")).map(Long::valueOf).toList();

    Trials.Page first = await(pages.page(new Trials.ListSome(ID, null, sort, null, null, 4)));
    Trials.Page rest =
        await(pages.page(new Trials.ListSome(ID, null, sort, null, first.next(), 4)));

    assertThat(first.items()).map(Trial::sequenceId).isEqualTo(expected.subList(0, 4));
    assertThat(rest.items()).map(Trial::sequenceId).isEqualTo(expected.subList(4, 7));
    assertThat(rest.next()).isNull();
    assertThat(
            await(
                    pages.page(
                        new Trials.ListSome(
                            ID, TrialStatus.WAITING, "parameters.z \"'$.", "z", null, 2)))
                .items())
        .map(Trial::sequenceId)
        .containsExactly(6L);
  }

  @Test
  void theHistoryTellsSuggestionsAndEndsInTheirOrder() throws Exception {
    storeSix();

    List<Trials.Entry> all = await(trials.history(new Trials.ReadHistory(ID, 0, 100))).entries();
    List<Trials.Entry> rest = await(trials.history(new Trials.ReadHistory(ID, 4, 3))).entries();

    assertThat(all).hasSize(11);
    assertThat(all.stream().map(Trials.Entry::ordinal)).isSorted().doesNotHaveDuplicates();
    assertThat(rest).isEqualTo(all.subList(4, 7));
  }

  @Test
  void theBestIsFiniteAndInTheDirectionOfTheSearch() throws Exception {
    storeSix();

    assertThat(await(trials.best(ID, Direction.MAXIMIZE)).orElseThrow().metric())
        .extracting(MetricValue::number)
        .isEqualTo(0.5);
    assertThat(await(trials.best(ID, Direction.MINIMIZE)).orElseThrow().metric())
        .extracting(MetricValue::number)
        .isEqualTo(0.5);
    write(trials.deleteBefore(ID, 4));
    assertThat(await(pages.page(new Trials.ListSome(ID, null, null, null, null, 100))).items())
        .hasSize(2);
  }

  /** Five that have settled, with every kind of number, and one that waits. */
  private void storeSix() throws Exception {
    List<Double> metrics =
        List.of(0.5, Double.POSITIVE_INFINITY, Double.NaN, Double.NEGATIVE_INFINITY, 0.5);
    for (int i = 0; i < metrics.size(); i++) {
      write(trials.save(settled(trial(i), metrics.get(i))));
    }
    write(trials.save(trial(5)));
  }

  private void write(Statement... statements) throws Exception {
    write(List.of(statements));
  }

  private void write(List<Statement> statements) throws Exception {
    await(store.write(statements));
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.await(30, TimeUnit.SECONDS);
  }
}
