package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.ID;
import static io.orrery.orchestrator.experiment.store.TableSamples.START;
import static io.orrery.orchestrator.experiment.store.TableSamples.settled;
import static io.orrery.orchestrator.experiment.store.TableSamples.spec;
import static io.orrery.orchestrator.experiment.store.TableSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.store.SearchedExperimentTable.Found;
import io.orrery.orchestrator.experiment.store.TrialRunTable.Page;
import io.orrery.orchestrator.experiment.store.TrialRunTable.TrialRun;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials pass the filters of tracked runs, and are sorted as these are, on every engine. */
abstract class TrialRunContract extends TablesFixture {
  private static final ProjectName VISION = new ProjectName("vision");

  @BeforeEach
  void store() throws Exception {
    insert(ID, "digits", new ResourceOwner(VISION, "ann"), 0);
    insert(new ExperimentId("exp-2"), null, ResourceOwner.PUBLIC, 5);
    storeSix();
    write(
        trials.save(
            settled(
                trial(6, parameters()),
                new MetricValue(0.75, "{\"default\":0.75,\"loss\":0.25,\"ok\":true}"))));
    write(
        AnnotationTable.change(
            new Annotations.Change(
                new Annotations.Of(ID, new TrialId("trial006")), null, List.of("kept")),
            START));
    write(
        AnnotationTable.change(
            new Annotations.Change(new Annotations.Of(ID, null), null, List.of("paper")), START));
  }

  private void insert(ExperimentId id, @Nullable String name, ResourceOwner owner, int seconds)
      throws Exception {
    write(
        experiments.insert(
            ExperimentRecord.of(id, owner, spec(name), START.plusSeconds(seconds)), null));
  }

  private static Parameters parameters() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("x", 6);
    values.put("lr", 1e-5);
    values.put("optimizer", "Adam");
    values.put("layer", Map.of("_name", "conv", "size", 3));
    values.put("sizes", List.of(1, 2));
    values.put("bias", true);
    return new Parameters(values);
  }

  private List<TrialRun> page(
      @Nullable List<ProjectName> among, String filter, String order, int limit, long offset)
      throws Exception {
    return pageOf(store, among, filter, order, limit, offset).runs();
  }

  private static Page pageOf(
      Store store,
      @Nullable List<ProjectName> among,
      String filter,
      String order,
      int limit,
      long offset)
      throws Exception {
    return await(
        new TrialRunTable(store)
            .page(
                new SearchRuns(
                    List.of(),
                    among,
                    filter,
                    order.isEmpty() ? List.of() : List.of(order.split(", ")),
                    View.ACTIVE_ONLY,
                    limit,
                    offset),
                List.of(ID, new ExperimentId("exp-2"))));
  }

  private static String numbers(List<TrialRun> runs) {
    return runs.stream()
        .map(run -> run.info().name().replace("trial-", ""))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metrics.default > 0.4            | 0 1 4 6",
        "metrics.default < 0              | 3",
        "metrics.default != 0.5           | 1 3 6",
        "metrics.loss <= 0.25             | 4 6",
        "metrics.ok = 1                   | ''",
        "metrics.note > 0                 | ''",
        "params.x = '5'                   | 5",
        "params.lr = '1.0E-5'             | 6",
        "params.optimizer LIKE 'A%'       | 6",
        "params.optimizer LIKE 'a%'       | ''",
        "params.optimizer ILIKE 'a%'      | 6",
        "params.layer = 'conv'            | 6",
        "params.sizes = '[1,2]'           | 6",
        "params.bias = 'true'             | 6",
        "params.optimizer != 'SGD'        | 6",
        "tags.kept = 'true'               | 6",
        "tags.\"orrery.trial\" = 'trial002' | 2",
        "tags.\"mlflow.runName\" = 'trial-3' | 3",
        "status = 'SCHEDULED'             | 5",
        "attributes.status IN ('FINISHED', 'FAILED') AND metrics.default > 0.4 | 0 1 4 6",
        "run_id = 'trial-8-exp00001-trial004' | 4",
        "run_name = 'trial-1'             | 1",
        "user_id = 'ann' AND params.x = '1' | 1",
        "experiment_id != 'experiment-exp00001' | ''",
        "end_time < 1767225696500         | 4 6",
        "start_time > 1767225600000       | ''",
      })
  void aFilterFindsTheTrialsThatFit(String filter, String found) throws Exception {
    assertThat(numbers(page(null, filter, "", 100, 0))).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                        | 0 1 2 3 4 5 6",
        "metrics.default DESC      | 1 6 0 4 3 2 5",
        "metrics.default           | 3 0 4 6 1 2 5",
        "metrics.loss DESC, run_id | 0 1 2 3 6 4 5",
        "params.optimizer, run_name DESC | 6 5 4 3 2 1 0",
        "status, end_time          | 6 4 3 2 1 0 5",
        "tags.kept, attributes.run_id DESC | 6 5 4 3 2 1 0",
      })
  void pagesAreInTheOrderThatIsAskedForAndWhatHasNoValueComesLast(String order, String wanted)
      throws Exception {
    StringBuilder seen = new StringBuilder();
    for (int from = 0; from < 7; from += 2) {
      Page page = pageOf(store, null, "", order, 2, from);
      assertThat(page.runs()).hasSize(Math.min(2, 7 - from));
      assertThat(page.more()).isEqualTo(from + 2 < 7);
      seen.append(numbers(page.runs())).append(' ');
    }
    assertThat(seen.toString().strip()).isEqualTo(wanted);
  }

  @Test
  void aRowIsWhatFiltersCompare() throws Exception {
    TrialRun run = page(null, "params.x = '6'", "", 1, 0).getFirst();

    assertThat(run.parameters())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "x",
                "6",
                "lr",
                "1.0E-5",
                "optimizer",
                "Adam",
                "layer",
                "conv",
                "sizes",
                "[1,2]",
                "bias",
                "true"));
    assertThat(TrialRunTable.numbers(run.result()))
        .containsExactlyInAnyOrderEntriesOf(Map.of("default", 0.75, "loss", 0.25));
    assertThat(run.info().id()).isEqualTo("trial-8-exp00001-trial006");
    assertThat(await(new TrialRunTable(store).find(run.ref()))).contains(run);
  }

  @Test
  void aPageMayHaveATrialOfEachOfAThousandExperiments() throws Exception {
    List<Statement> rows = new ArrayList<>();
    List<ExperimentId> all = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      ExperimentId id = new ExperimentId("many" + i);
      all.add(id);
      rows.add(
          experiments.insert(
              ExperimentRecord.of(id, ResourceOwner.PUBLIC, spec("many"), START), null));
      rows.add(
          Statement.of(
              "insert into trials (experiment, id, sequence, phase, status, attempt,"
                  + " parameter_sets, created_at, suggested) select ?, id, sequence, phase,"
                  + " status, attempt, parameter_sets, created_at, suggested from trials"
                  + " where experiment = ? and sequence = 5",
              id.value(),
              ID.value()));
    }
    write(rows);

    Page page =
        await(
            new TrialRunTable(store)
                .page(
                    new SearchRuns(List.of(), null, "", List.of(), View.ACTIVE_ONLY, 1_000, 0),
                    all));

    assertThat(page.runs()).hasSize(1_000);
    assertThat(page.runs().stream().map(run -> run.ref().experiment()).distinct()).hasSize(1_000);
    assertThat(page.more()).isTrue();
  }

  @Test
  void aTrialThatIsDeletedWhileAPageIsReadIsLeftOutAndMoreIsBehindItAsBefore() throws Exception {
    Store deleting = new Deleting(store, "delete from trials where sequence = 1");

    Page page = pageOf(deleting, null, "", "run_name", 3, 0);

    assertThat(numbers(page.runs())).isEqualTo("0 2");
    assertThat(page.more()).isTrue();
  }

  @Test
  void trialsOfProjectsThatTheCallerDoesNotSeeAreNotFound() throws Exception {
    assertThat(page(List.of(ProjectName.PUBLIC), "", "", 100, 0)).isEmpty();
    assertThat(page(List.of(), "", "", 100, 0)).isEmpty();
    assertThat(page(List.of(VISION), "", "", 100, 0)).hasSize(7);
    assertThat(experiments(List.of(ProjectName.PUBLIC), "", "")).isEqualTo("experiment (exp-2)");
    assertThat(experiments(List.of(), "", "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | '' | experiment (exp-2), digits (exp00001)",
        "'' | creation_time | digits (exp00001), experiment (exp-2)",
        "'' | name | digits (exp00001), experiment (exp-2)",
        "name LIKE 'digits%' | '' | digits (exp00001)",
        "tags.paper = 'true' | '' | digits (exp00001)",
        "tags.\"orrery.project\" = 'public' | '' | experiment (exp-2)",
        "experiment_id IN ('experiment-exp-2') | '' | experiment (exp-2)",
        "last_update_time > 1767225601000 | '' | experiment (exp-2)",
      })
  void experimentsAreFoundByNameTimeAndTag(String filter, String order, String names)
      throws Exception {
    assertThat(experiments(null, filter, order)).isEqualTo(names);
  }

  private String experiments(@Nullable List<ProjectName> among, String filter, String order)
      throws Exception {
    List<Found> found =
        await(
            new SearchedExperimentTable(store)
                .page(
                    new SearchExperiments(
                        among,
                        filter,
                        order.isEmpty() ? List.of() : List.of(order),
                        View.ACTIVE_ONLY,
                        10,
                        0)));
    return found.stream().map(each -> each.shape().name()).collect(Collectors.joining(", "));
  }

  /** A store in which a statement is run after the first question. */
  private static final class Deleting implements Store {
    private final Store inner;
    private final String statement;
    private int questions;

    Deleting(Store inner, String statement) {
      this.inner = inner;
      this.statement = statement;
    }

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
      return questions++ == 0
          ? inner.read(query, each)
          : inner.write(List.of(Statement.of(statement))).compose(done -> inner.read(query, each));
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
