package io.orrery.studio.service;

import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.route.PortRange;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of ports that services have. */
public final class PortTable {
  public static final Migrations MIGRATIONS =
      new Migrations("service-ports", PortTable.class, List.of("0001-ports.sql"));

  private static final String SELECT =
      "select port, service, stage, target, hosts from service_ports";

  private final Store store;

  PortTable(Store store) {
    this.store = store;
  }

  /** A port that a stage of a service has. */
  record PortRow(ServiceName service, ServiceStage stage, Exposed exposed) {
    boolean isOf(ServiceName name, ServiceStage where) {
      return service.equals(name) && stage == where;
    }
  }

  /** Those of services. */
  Future<List<PortRow>> of(List<ServiceName> services) {
    if (services.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    List<@Nullable Object> names = new ArrayList<>();
    services.forEach(name -> names.add(name.value()));
    return store.read(
        new Statement(
            SELECT
                + " where service in "
                + Statement.marks(services.size())
                + " order by service, port",
            names,
            null),
        PortTable::row);
  }

  /** Those of a stage, and those of whatever has one of some numbers. */
  Future<List<PortRow>> of(ServiceName service, ServiceStage stage, List<Integer> numbers) {
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(service.value());
    arguments.add(stage.word());
    String others = "";
    if (!numbers.isEmpty()) {
      others = " or port in " + Statement.marks(numbers.size());
      arguments.addAll(numbers);
    }
    return store.read(
        new Statement(SELECT + " where (service = ? and stage = ?)" + others, arguments, null),
        PortTable::row);
  }

  /** The numbers of a range that any stage has. */
  Future<List<Integer>> taken(PortRange range) {
    return store.read(
        Statement.of(
            "select port from service_ports where port between ? and ?",
            range.first(),
            range.last()),
        row -> Math.toIntExact(row.integer("port")));
  }

  /** The statements that give a stage these ports in place of those that it has. */
  static List<Statement> put(ServiceName service, ServiceStage stage, List<Exposed> ports) {
    List<Statement> statements = new ArrayList<>();
    statements.add(drop(service, stage));
    for (Exposed port : ports) {
      statements.add(
          Statement.of(
                  "insert into service_ports (port, service, stage, target, hosts)"
                      + " values (?, ?, ?, ?, ?) on conflict (port) do nothing",
                  port.number(),
                  service.value(),
                  stage.word(),
                  port.target(),
                  String.join(",", port.hosts()))
              .expecting(1));
    }
    return statements;
  }

  static Statement drop(ServiceName service, ServiceStage stage) {
    return Statement.of(
        "delete from service_ports where service = ? and stage = ?", service.value(), stage.word());
  }

  static Statement drop(ServiceName service) {
    return Statement.of("delete from service_ports where service = ?", service.value());
  }

  private static PortRow row(Row row) {
    String hosts = row.text("hosts");
    return new PortRow(
        new ServiceName(row.text("service")),
        ServiceStage.of(row.text("stage")).orElseThrow(),
        new Exposed(
            Math.toIntExact(row.integer("target")),
            Math.toIntExact(row.integer("port")),
            hosts.isEmpty() ? List.of() : List.of(hosts.split(","))));
  }
}
