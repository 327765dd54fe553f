package io.orrery.router.policy;

import io.orrery.router.health.LiveTable;
import io.orrery.router.route.RouteTable;

/** The table in force: one reference that is replaced, and read once for each request. */
public final class Tables {
  private volatile LiveTable current;
  private volatile LiveTable settled;

  /**
   * @param loops how many route by them
   */
  public Tables(RouteTable first, int loops) {
    this.current = LiveTable.of(first, loops);
    this.settled = current;
  }

  public LiveTable current() {
    return current;
  }

  /** Puts a new table in force; what is under way ends on the old one. */
  public synchronized LiveTable swap(RouteTable table) {
    LiveTable next = current.next(table);
    current = next;
    return next;
  }

  /** The newest table that every event loop is known to route by. */
  public LiveTable settled() {
    return settled;
  }

  /** Every event loop has had a turn since a table came in force. */
  public synchronized void settle(LiveTable table) {
    table.settle();
    if (table.generation() > settled.generation()) {
      settled = table;
    }
  }
}
