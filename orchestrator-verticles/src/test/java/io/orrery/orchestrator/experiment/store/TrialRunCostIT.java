package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.ID;
import static io.orrery.orchestrator.experiment.store.TableSamples.START;
import static io.orrery.orchestrator.experiment.store.TableSamples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.store.TrialRunTable.TrialRun;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Prints what pages of an experiment with 10,000 trials take, by filter, order and place. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class TrialRunCostIT extends TablesFixture {
  private static final int TRIALS = 10_000;
  private static final int ROUNDS = 20;

  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("test.db"));
  }

  private List<TrialRun> page(String filter, List<String> order, long offset) throws Exception {
    return await(
            new TrialRunTable(store)
                .page(
                    new SearchRuns(List.of(), null, filter, order, View.ACTIVE_ONLY, 50, offset),
                    List.of(ID)))
        .runs();
  }

  @Test
  void thePagesOfTenThousandTrials() throws Exception {
    write(
        experiments.insert(
            ExperimentRecord.of(ID, ResourceOwner.PUBLIC, spec("many"), START), null));
    write(
        Statement.of(
            "insert into trials (experiment, id, sequence, phase, status, attempt,"
                + " parameter_sets, metric, metric_document, created_at, suggested, settled)"
                + " with recursive many (i) as"
                + " (select 0 union all select i + 1 from many where i < ? - 1)"
                + " select ?, 't' || i, i, 'SETTLED', 'SUCCEEDED', 1,"
                + " '[{\"index\":0,\"source\":\"algorithm\",\"values\":{\"lr\":0.' || (i * 7919 % 10007)"
                + " || ',\"units\":' || (i % 512) || ',\"optimizer\":\"Adam\",\"dropout\":0.25}}]',"
                + " (i * 7919 % 10007) / 10007.0, '{\"default\":0,\"loss\":0.' || (i * 31 % 997) || '}',"
                + " i, i, i from many",
            TRIALS, ID.value()));

    print("no filter, newest first", "", List.of(), 0);
    print("the same, from 9,000", "", List.of(), 9_000);
    print("by default", "", List.of("metrics.default DESC"), 0);
    print("by an entry of a result", "", List.of("metrics.loss"), 0);
    print("by a parameter", "", List.of("params.units"), 0);
    print("a parameter is", "params.units = '7'", List.of("metrics.default"), 0);
    print("default is below", "metrics.default < 0.5", List.of(), 0);
  }

  private void print(String what, String filter, List<String> order, long offset) throws Exception {
    assertThat(page(filter, order, offset)).isNotEmpty();
    long begin = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      page(filter, order, offset);
    }
    double millis = (System.nanoTime() - begin) / 1e6 / ROUNDS;
    System.out.printf(Locale.ROOT, "%-30s %.1f ms%n", what, millis);
  }
}
