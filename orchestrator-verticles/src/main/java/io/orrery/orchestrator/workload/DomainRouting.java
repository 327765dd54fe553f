package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.DomainRoutes;
import io.orrery.core.bus.contract.DomainRoutes.DomainRoute;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.json.Json;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The hosts that several workloads share: stored, and written into the route layer. */
final class DomainRouting {
  private final Bus bus;
  private final Store store;
  private final Runnable changed;
  private final Map<String, DomainRoute> domains = new TreeMap<>();

  /**
   * @param changed told when the layer is to be written again
   */
  DomainRouting(Bus bus, Store store, Runnable changed) {
    this.bus = bus;
    this.store = store;
    this.changed = changed;
  }

  /** Reads what is stored, after the migrations. */
  Future<Void> load() {
    return store
        .read(
            Statement.of("select content from workload_domains"),
            row -> Json.read(row.text("content"), DomainRoute.class))
        .<Void>map(all -> {
          all.forEach(domain -> domains.put(domain.host(), domain));
          return null;
        });
  }

  Future<?> serve() {
    return Future.all(
        bus.serve(DomainRoutes.PUT, this::put),
        bus.serve(DomainRoutes.DROP, this::drop),
        bus.serve(
            DomainRoutes.LIST,
            asked ->
                Future.succeededFuture(new DomainRoutes.Listed(List.copyOf(domains.values())))));
  }

  private Future<Done> put(DomainRoute wanted) {
    DomainRoute known = domains.get(wanted.host());
    if (known != null && known.revision() >= wanted.revision()) {
      return Future.succeededFuture(new Done());
    }
    return store
        .write(
            List.of(
                Statement.of(
                    "insert into workload_domains (host, revision, content) values (?, ?, ?)"
                        + " on conflict (host) do update set revision = excluded.revision,"
                        + " content = excluded.content",
                    wanted.host(),
                    wanted.revision(),
                    Json.write(wanted))))
        .map(stored -> {
          domains.put(wanted.host(), wanted);
          changed.run();
          return new Done();
        });
  }

  private Future<Done> drop(DomainRoutes.Drop asked) {
    if (!domains.containsKey(asked.host())) {
      return Future.succeededFuture(new Done());
    }
    return store
        .write(List.of(Statement.of("delete from workload_domains where host = ?", asked.host())))
        .map(dropped -> {
          domains.remove(asked.host());
          changed.run();
          return new Done();
        });
  }

  /**
   * The services of the route table that stand for the hosts.
   *
   * @param services of the table; those of other stages than production take no part
   * @param resting the names of services that wait for a request to begin
   */
  List<ObjectNode> entries(List<ObjectNode> services, List<String> resting) {
    if (domains.isEmpty()) {
      return List.of();
    }
    Map<String, ObjectNode> byName = new HashMap<>();
    services.stream()
        .filter(service -> service.path("stage").asText("production").equals("production"))
        .forEach(service -> byName.put(service.path("name").asText(), service));
    return domains.values().stream()
        .map(domain -> DomainEntry.of(domain, byName, resting))
        .filter(Objects::nonNull)
        .toList();
  }
}
