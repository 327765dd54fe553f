package io.orrery.orchestrator.experiment.store;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.vertx.core.Vertx;
import java.nio.file.Path;

class SqliteTrialRunTest extends TrialRunContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("test.db"));
  }
}
