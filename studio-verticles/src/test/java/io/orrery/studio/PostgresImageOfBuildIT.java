package io.orrery.studio;

import io.orrery.core.sql.PostgresAddress;
import io.orrery.core.sql.PostgresServer;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.StoreOwner;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;

class PostgresImageOfBuildIT extends ImageOfBuildContract {
  @Override
  Store open(Vertx vertx, Path directory) {
    return PostgresStore.open(
        vertx,
        PostgresAddress.parse(PostgresServer.newDatabase(), Map.of()),
        new StoreOwner("test", "the test"));
  }
}
