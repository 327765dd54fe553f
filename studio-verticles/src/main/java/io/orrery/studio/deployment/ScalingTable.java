package io.orrery.studio.deployment;

import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Scaling;
import io.orrery.core.service.ServiceName;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.List;

/** The rows of decisions about the number of replicas. */
public final class ScalingTable {
  private final Store store;

  public ScalingTable(Store store) {
    this.store = store;
  }

  /** The decisions about a service, newest first. */
  public Future<List<Scaling>> of(ServiceName service) {
    return store.read(
        Statement.of(
            "select at, replicas_before, replicas_after, reason from scalings where service = ?"
                + " order by number desc",
            service.value()),
        row ->
            new Scaling(
                row.instant("at"),
                Math.toIntExact(row.integer("replicas_before")),
                Math.toIntExact(row.integer("replicas_after")),
                row.text("reason")));
  }

  /** The statements that keep a decision, and drop those that are too old. */
  public static List<Statement> add(ServiceName service, Scaling scaling) {
    return List.of(
        Statement.of(
            "insert into scalings (service, number, at, replicas_before, replicas_after, reason)"
                + " values (?, (select coalesce(max(number), 0) + 1 from scalings where service = ?),"
                + " ?, ?, ?, ?)",
            service.value(),
            service.value(),
            scaling.at().toEpochMilli(),
            scaling.before(),
            scaling.after(),
            scaling.reason()),
        Statement.of(
            "delete from scalings where service = ? and number <= (select max(number) - ? from"
                + " scalings where service = ?)",
            service.value(),
            Services.KEPT_SCALINGS,
            service.value()));
  }

  /** The statement that forgets all of a service. */
  public static Statement drop(ServiceName service) {
    return Statement.of("delete from scalings where service = ?", service.value());
  }
}
