package io.orrery.router.control;

import io.orrery.core.problem.Problem;
import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.Tables;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import io.orrery.router.telemetry.Meters;
import java.io.IOException;
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
   * @throws io.orrery.core.problem.ProblemException Refused with all findings; Broken when it
   *     cannot be kept
   */
  public LiveTable replace(String text) {
    return accept(RouteReader.read(text, tables.current().table().domain()));
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
}
