package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.Tables;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import io.orrery.router.telemetry.Meters;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes tables in, one after the other, whoever sends them: reads the text, keeps the table on
 * disk, puts it in force. A table that is refused changes nothing. Blocks: call it from a worker.
 */
public final class TableInbox {
  private final Tables tables;
  private final Meters meters;
  private final @Nullable LastGood lastGood;
  private final Consumer<LiveTable> watcher;
  private volatile Revision revision = new Revision(null, "");

  /**
   * @param lastGood null keeps nothing
   * @param watcher is told of every table that came into force
   */
  public TableInbox(
      Tables tables, Meters meters, @Nullable LastGood lastGood, Consumer<LiveTable> watcher) {
    this.tables = tables;
    this.meters = meters;
    this.lastGood = lastGood;
    this.watcher = watcher;
  }

  /**
   * Puts the table of a text in force.
   *
   * @param over the revision of the table that it may replace; null for any
   * @throws io.orrery.core.problem.ProblemException Refused with all findings; Conflict when the
   *     table is another one by now; Broken when it cannot be kept
   */
  public synchronized LiveTable replace(String text, @Nullable String over) {
    LiveTable present = tables.current();
    if (over != null && !over.equals(revision(present.table()))) {
      throw new Problem.Conflict(
              "Another table is in force by now; look at it before you replace it.")
          .toException();
    }
    return accept(RouteReader.read(text, present.table().domain()));
  }

  /** Puts a table in force. */
  public synchronized LiveTable accept(RouteTable table) {
    if (lastGood != null) {
      try {
        lastGood.keep(table);
      } catch (IOException e) {
        throw new Problem.Broken("the route table cannot be kept on disk: " + e).toException();
      }
    }
    LiveTable live = tables.swap(table);
    meters.swapped(live.ids());
    watcher.accept(live);
    return live;
  }

  /** The table in force. */
  public LiveTable current() {
    return tables.current();
  }

  /** The same for tables with the same services, another for others. */
  String revision(RouteTable table) {
    Revision last = revision;
    if (!table.equals(last.table())) {
      last = Revision.of(table);
      revision = last;
    }
    return last.text();
  }

  /** Its services and the traffic since the start, as JSON. */
  List<JsonNode> services(LiveTable table) {
    return TableShape.services(table, meters);
  }

  /** Kept, because it is asked for far more often than tables change. */
  private record Revision(@Nullable RouteTable table, String text) {
    private static final int CHARACTERS = 16;

    static Revision of(RouteTable table) {
      String digest = Sha256.hex(table.document());
      return new Revision(table, digest.substring(0, CHARACTERS));
    }
  }
}
