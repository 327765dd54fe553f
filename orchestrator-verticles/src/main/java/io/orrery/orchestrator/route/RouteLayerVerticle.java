package io.orrery.orchestrator.route;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.RouteLayers.Changed;
import io.orrery.core.bus.contract.RouteLayers.Get;
import io.orrery.core.bus.contract.RouteLayers.Layer;
import io.orrery.core.bus.contract.RouteLayers.Put;
import io.orrery.core.bus.contract.RouteLayers.Stored;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.function.Supplier;

/**
 * The verticle that answers for the layers of the route table. It holds no layer in memory: several
 * servers may run it at once.
 */
public final class RouteLayerVerticle extends VerticleBase {
  private static final int ATTEMPTS = 5;

  private final Bus bus;
  private final RouteLayerTable table;
  private final Store store;
  private final TrafficGathering traffic;
  private final ReportGathering reports;

  /**
   * @param routers how many router processes there are
   * @param ids makes a name that nothing has had
   */
  public RouteLayerVerticle(
      Bus bus, Store store, Clock clock, Supplier<Future<Integer>> routers, Supplier<String> ids) {
    this.bus = bus;
    this.store = store;
    this.table = new RouteLayerTable(store);
    this.traffic = new TrafficGathering(bus, clock, routers, ids);
    this.reports = new ReportGathering(bus, clock, routers, ids);
  }

  @Override
  public Future<?> start() {
    return RouteLayerTable.MIGRATIONS
        .apply(store)
        .compose(current ->
            Future.all(
                List.of(
                    bus.serve(RouteLayers.PUT, this::put),
                    bus.serve(RouteLayers.GET, this::get),
                    traffic.serve(),
                    reports.serve())));
  }

  private Future<Layer> get(Get get) {
    return get.layer() == RouteLayer.TABLE
        ? Future.failedFuture(notStored().toException())
        : table.find(get.layer(), get.known());
  }

  private static Problem notStored() {
    return new Problem.Refused(
        new Finding(
            "/layer",
            "each router has a layer table of its own: GET and PUT /api/v1/routes reach it"));
  }

  private Future<Stored> put(Put put) {
    if (put.layer() == RouteLayer.TABLE) {
      return Future.failedFuture(notStored().toException());
    }
    if (put.document().length() > RouteLayers.MOST_CHARACTERS) {
      return Future.failedFuture(
          new Problem.TooLarge("A layer may have " + RouteLayers.MOST_CHARACTERS + " characters.")
              .toException());
    }
    return check(put).compose(sound -> store(put, 1));
  }

  /** Fails when the document cannot be read, or a router finds a fault. */
  private Future<?> check(Put put) {
    return vertx
        .executeBlocking(() -> Document.read(put.document()))
        .compose(read -> bus.request(Routes.CHECK, new Routes.Check(put.layer(), put.document())))
        .recover(failure ->
            Bus.isUnserved(failure) || Problem.of(failure) instanceof Problem.Unavailable
                ? Future.succeededFuture(new Routes.Checked(false))
                : Future.failedFuture(failure));
  }

  private Future<Stored> store(Put put, int attempt) {
    return table
        .find(put.layer(), null)
        .compose(present -> {
          if (put.revision() != null && put.revision() != present.revision()) {
            return Future.failedFuture(another(put).toException());
          }
          if (put.document().equals(present.document())) {
            return Future.succeededFuture(new Stored(present.revision()));
          }
          return table
              .replace(put.layer(), present.revision(), put.document())
              .map(stored -> new Stored(present.revision() + 1))
              .onSuccess(stored ->
                  bus.publish(RouteLayers.CHANGED, new Changed(put.layer(), stored.revision())))
              .recover(failure ->
                  Problem.of(failure) instanceof Problem.Conflict && attempt < ATTEMPTS
                      ? store(put, attempt + 1)
                      : Future.failedFuture(failure));
        });
  }

  private static Problem another(Put put) {
    return new Problem.Conflict(
        "Another revision of the layer %s is stored than %d; read it before you replace it."
            .formatted(put.layer().word(), put.revision()));
  }
}
