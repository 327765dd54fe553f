package io.orrery.core.lease;

import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import org.jspecify.annotations.Nullable;

class SqliteMembershipTest extends MembershipContract {
  private @Nullable Store only;

  @Override
  Store open() {
    only = only == null ? SqliteStore.open(vertx, directory.resolve("leases.db")) : only;
    return only;
  }
}
