package io.orrery.orchestrator.route;

import io.orrery.core.bus.contract.RouteLayers.Layer;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of the layers. */
public final class RouteLayerTable {
  public static final Migrations MIGRATIONS =
      new Migrations("routes", RouteLayerTable.class, List.of("0001-route-layers.sql"));

  private final Store store;

  RouteLayerTable(Store store) {
    this.store = store;
  }

  /**
   * Reads a layer that the store has.
   *
   * @param known a revision whose document is not needed; null for none
   */
  Future<Layer> find(RouteLayer layer, @Nullable Long known) {
    return store
        .read(
            Statement.of(
                "select revision, case when revision = ? then null else document end as document"
                    + " from route_layers where layer = ?",
                known == null ? -1 : known,
                layer.word()),
            row -> new Layer(row.integer("revision"), row.textOrNull("document")))
        .map(List::getFirst);
  }

  /** Replaces a layer; fails with Conflict when its revision is another one. */
  Future<Void> replace(RouteLayer layer, long revision, String document) {
    return store.write(
        List.of(
            Statement.of(
                    "update route_layers set revision = revision + 1, document = ?"
                        + " where layer = ? and revision = ?",
                    document,
                    layer.word(),
                    revision)
                .expecting(1)));
  }
}
