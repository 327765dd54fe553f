package io.orrery.orchestrator.experiment;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.vertx.core.Vertx;
import java.nio.file.Path;

class SqliteTablesTest extends TablesContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("test.db"));
  }
}
