package io.orrery.studio.usage;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.UsageHistory;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;

/** Answers what projects have used over time. */
public final class UsageHandler {
  private final Bus bus;
  private final UsageTable table;

  public UsageHandler(Bus bus, Store store) {
    this.bus = bus;
    this.table = new UsageTable(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return bus.serve(
        UsageHistory.HISTORY, asked -> table.history(asked).map(UsageHistory.History::new));
  }
}
