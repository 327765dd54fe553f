package io.orrery.studio.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.audit.AuditTable;
import io.orrery.studio.audit.AuditedChanges;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.random.RandomGenerator;

/**
 * The verticle that keeps notebooks, after the one of the studio. It holds no state besides the
 * store: several servers may run it at once.
 */
public final class NotebookVerticle extends VerticleBase {
  private final Store store;
  private final Bus bus;
  private final AuditedChanges changes;
  private final NotebookTable table;
  private final NotebookHandler handler;

  /**
   * @param random a cryptographic source
   * @param domain that the hosts of notebooks end with
   */
  public NotebookVerticle(
      Bus bus, Store store, Clock clock, RandomGenerator random, String domain) {
    this.store = store;
    this.bus = bus;
    this.changes = new AuditedChanges(store, bus, clock, new AuditTable(store, random));
    this.table = new NotebookTable(store);
    this.handler =
        new NotebookHandler(
            bus,
            changes,
            table,
            new NotebookFreezer(domain),
            new NotebookCheck(bus, clock),
            random);
  }

  @Override
  public Future<?> start() {
    return NotebookTable.MIGRATIONS
        .apply(store)
        .compose(
            current -> Future.all(handler.serve(), StoppedNotebooks.serve(bus, table, changes)));
  }
}
