package io.orrery.core.lease;

import io.orrery.core.sql.PostgresAddress;
import io.orrery.core.sql.PostgresServer;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.StoreOwner;
import java.util.Map;
import org.jspecify.annotations.Nullable;

class PostgresMembershipIT extends MembershipContract {
  private @Nullable PostgresAddress database;
  private int servers;

  @Override
  Store open() {
    if (database == null) {
      database = PostgresAddress.parse(PostgresServer.newDatabase(), Map.of());
    }
    servers++;
    return PostgresStore.share(
        vertx, database, new StoreOwner("server-" + servers, "server " + servers));
  }
}
