package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.settled;
import static io.orrery.orchestrator.experiment.store.TableSamples.trial;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The tables of experiments and trials, in a store of an engine. */
abstract class TablesFixture {
  @TempDir Path directory;
  Vertx vertx;
  Store store;
  ExperimentTable experiments;
  TrialTable trials;
  TrialPages pages;

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

  /** Five that have settled, with every kind of number, and one that waits. */
  void storeSix() throws Exception {
    List<Double> metrics =
        List.of(0.5, Double.POSITIVE_INFINITY, Double.NaN, Double.NEGATIVE_INFINITY, 0.5);
    for (int i = 0; i < metrics.size(); i++) {
      write(trials.save(settled(trial(i), metrics.get(i))));
    }
    write(trials.save(trial(5)));
  }

  static String sequences(Trials.Page page) {
    return page.items().stream()
        .map(trial -> String.valueOf(trial.sequenceId()))
        .collect(Collectors.joining(" "));
  }

  void write(Statement... statements) throws Exception {
    write(List.of(statements));
  }

  void write(List<Statement> statements) throws Exception {
    await(store.write(statements));
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.await(30, TimeUnit.SECONDS);
  }
}
