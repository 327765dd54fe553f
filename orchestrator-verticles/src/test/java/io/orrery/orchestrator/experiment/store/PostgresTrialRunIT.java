package io.orrery.orchestrator.experiment.store;

import io.orrery.core.sql.Store;
import io.vertx.core.Vertx;
import java.nio.file.Path;

class PostgresTrialRunIT extends TrialRunContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return PostgresTablesIT.newStore(vertx);
  }
}
