package io.orrery.router.policy;

import io.orrery.router.health.LiveTable;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.TcpListen;

/** The table in force: one reference that is replaced, and read once for each request. */
public final class Tables {
  private final TcpPorts ports;
  private volatile LiveTable current;
  private volatile LiveTable settled;
  private volatile Runnable onHeld = () -> {};

  /** The same with the standard ports. */
  public Tables(RouteTable first, int loops) {
    this(first, loops, new TcpPorts(TcpListen.STANDARD, false));
  }

  /**
   * @param loops how many route by them
   * @param ports at which connections come in
   */
  public Tables(RouteTable first, int loops, TcpPorts ports) {
    this.ports = ports;
    this.current = LiveTable.of(first, loops);
    this.settled = current;
  }

  /** The ports at which connections come in for services of the table. */
  public TcpPorts ports() {
    return ports;
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

  /**
   * Listens to requests that begin to wait for an endpoint.
   *
   * @param listener called on any event loop, once for each of them
   */
  public void onHeld(Runnable listener) {
    onHeld = listener;
  }

  void tellHeld() {
    onHeld.run();
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
