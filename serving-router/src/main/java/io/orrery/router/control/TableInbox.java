package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.health.EndpointConnect;
import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.RateExchange;
import io.orrery.router.policy.Tables;
import io.orrery.router.route.References;
import io.orrery.router.route.RouteTable;
import io.orrery.router.telemetry.Meters;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes layers of the table in, one after the other, from every source: reads the text, checks it
 * against the other layers, keeps it on disk, puts the table in force. A layer that is refused
 * changes nothing. Blocks: call it from a worker.
 */
public final class TableInbox {
  private final Tables tables;
  private final Meters meters;
  private final RateExchange rates;
  private final @Nullable LastGood lastGood;
  private final Consumer<LiveTable> watcher;
  private volatile Revision revision = new Revision(null, "");

  /** The generation of the newest table whose layers are all on the disk. */
  private volatile long kept;

  private volatile LiveTable settled;

  /**
   * @param rates what the router tells others of its rates
   * @param lastGood null keeps nothing
   * @param watcher is told of every table that came into force
   */
  public TableInbox(
      Tables tables,
      Meters meters,
      RateExchange rates,
      @Nullable LastGood lastGood,
      Consumer<LiveTable> watcher) {
    this.tables = tables;
    this.meters = meters;
    this.rates = rates;
    this.lastGood = lastGood;
    this.watcher = watcher;
    this.kept = tables.current().generation();
    this.settled = tables.settled();
  }

  /**
   * Puts the layer {@link RouteLayer#TABLE} of a text in force.
   *
   * @param over the revision of the table that it may replace; null for any
   * @throws io.orrery.core.problem.ProblemException Refused with all findings; Conflict when the
   *     table is another one by now, or a service name or host is in another layer; Broken when it
   *     cannot be kept
   */
  public synchronized LiveTable replace(String text, @Nullable String over) {
    return accept(checked(text, over), RouteLayer.TABLE);
  }

  /**
   * Refuses a text as {@link #replace} would, and changes nothing.
   *
   * @return the table in force
   * @throws io.orrery.core.problem.ProblemException Refused, Conflict as {@link #replace}
   */
  LiveTable check(String text, @Nullable String over) {
    checked(text, over);
    return tables.current();
  }

  private RouteTable checked(String text, @Nullable String over) {
    RouteTable present = tables.current().table();
    if (over != null && !over.equals(revision(present))) {
      throw new Problem.Conflict(
              "Another table is in force by now; look at it before you replace it.")
          .toException();
    }
    RouteTable next = present.with(RouteLayer.TABLE, 0, text, References.REQUIRED);
    PortCheck.check(tables.ports(), next, RouteLayer.TABLE, text);
    return next;
  }

  /** Puts the layer {@link RouteLayer#TABLE} of another table in force; see {@link #replace}. */
  public synchronized LiveTable accept(RouteTable table) {
    RouteTable present = tables.current().table();
    RouteTable next = present.with(RouteLayer.TABLE, table, References.REQUIRED);
    PortCheck.check(tables.ports(), next, RouteLayer.TABLE, null);
    return accept(next, RouteLayer.TABLE);
  }

  /**
   * Puts a layer that is owned elsewhere in force, unless it is, and then on the disk: requests may
   * be waiting for it, and who owns it has it. What its splits and mirrors name and this router
   * does not have is left out.
   *
   * @param storeRevision of the layer in the store
   * @throws io.orrery.core.problem.ProblemException Refused, Conflict as {@link #replace}, with the
   *     layer not in force; Broken when it is, and is not on the disk
   */
  public synchronized void follow(RouteLayer layer, long storeRevision, String text) {
    RouteTable present = tables.current().table();
    if (present.revision(layer) != storeRevision) {
      RouteTable next = present.with(layer, storeRevision, text, References.OPTIONAL);
      EndpointConnect.prepare(next);
      bring(next);
      keep(layer);
    } else if (isUnkept()) {
      keep(layer);
    }
  }

  /** Whether a layer is in force that could not be written to the disk. */
  boolean isUnkept() {
    return kept < tables.current().generation();
  }

  /**
   * Puts a layer that is in force on the disk.
   *
   * @throws io.orrery.core.problem.ProblemException Broken when that fails
   */
  synchronized void keep(RouteLayer layer) {
    LiveTable present = tables.current();
    write(present.table(), layer);
    kept = present.generation();
  }

  /**
   * Checks a layer against the others, and changes nothing. What splits and mirrors of a layer that
   * is owned elsewhere name may be missing, as in {@link #follow}.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, Conflict as {@link #replace}
   */
  public void check(RouteLayer layer, String text) {
    RouteTable next =
        tables
            .current()
            .table()
            .with(
                layer,
                0,
                text,
                layer == RouteLayer.TABLE ? References.REQUIRED : References.OPTIONAL);
    PortCheck.check(tables.ports(), next, layer, text);
  }

  private LiveTable accept(RouteTable table, RouteLayer changed) {
    boolean others = !isUnkept();
    EndpointConnect.prepare(table);
    write(table, changed);
    LiveTable live = bring(table);
    if (others) {
      kept = live.generation();
    }
    return live;
  }

  private void write(RouteTable table, RouteLayer layer) {
    if (lastGood != null) {
      try {
        lastGood.keep(table, layer);
      } catch (IOException e) {
        throw new Problem.Broken("the route table cannot be kept on disk: " + e).toException();
      }
    }
  }

  private LiveTable bring(RouteTable table) {
    LiveTable live = tables.swap(table);
    meters.swapped(live.ids());
    watcher.accept(live);
    return live;
  }

  /** The table in force. */
  public LiveTable current() {
    return tables.current();
  }

  /** The same for tables with the same services in all layers, another for others. */
  String revision(RouteTable table) {
    Revision last = revision;
    if (!table.equals(last.table())) {
      last = Revision.of(table);
      revision = last;
    }
    return last.text();
  }

  /** The newest table that is on the disk, and that every event loop is known to route by. */
  LiveTable settled() {
    LiveTable newest = tables.settled();
    if (newest.generation() <= kept) {
      settled = newest;
    }
    return settled;
  }

  /** Listens to requests that begin to wait; see {@link Tables#onHeld}. */
  void onHeld(Runnable listener) {
    tables.onHeld(listener);
  }

  /** The rates that the router has together with others. */
  RateExchange rates() {
    return rates;
  }

  /** The numbers of the router. */
  public Meters meters() {
    return meters;
  }

  /** Gives its services and the traffic since the start, as JSON. */
  void services(LiveTable table, Consumer<JsonNode> services) {
    TableShape.services(table, meters, tables.ports(), services);
  }

  /** A digest of the table, kept because it is asked for far more often than tables change. */
  private record Revision(@Nullable RouteTable table, String text) {
    private static final int CHARACTERS = 16;

    static Revision of(RouteTable table) {
      String all =
          Arrays.stream(RouteLayer.values()).map(table::document).collect(Collectors.joining("\n"));
      return new Revision(table, Sha256.hex(all).substring(0, CHARACTERS));
    }
  }
}
