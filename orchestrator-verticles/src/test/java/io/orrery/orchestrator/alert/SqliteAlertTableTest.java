package io.orrery.orchestrator.alert;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.vertx.core.Vertx;
import java.nio.file.Path;

class SqliteAlertTableTest extends AlertTableContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("test.db"));
  }
}
