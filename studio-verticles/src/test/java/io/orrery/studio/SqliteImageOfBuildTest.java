package io.orrery.studio;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.vertx.core.Vertx;
import java.nio.file.Path;

class SqliteImageOfBuildTest extends ImageOfBuildContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return SqliteStore.open(vertx, directory.resolve("studio.db"));
  }
}
