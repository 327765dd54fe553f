package io.orrery.studio.deployment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.service.ServiceName;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.rollout.Rollout;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of upgrades: the last one of each service. */
public final class UpgradeTable {
  private static final String SELECT =
      "select service, project, generation, before_want, before_revision, rollout, is_open,"
          + " revision from upgrades";

  private final Store store;

  public UpgradeTable(Store store) {
    this.store = store;
  }

  /** Those about which something is still to be done, by service. */
  public Future<List<ServiceUpgrade>> open() {
    return store.read(
        Statement.of(SELECT + " where is_open = 1 order by service"), UpgradeTable::upgrade);
  }

  public Future<Optional<ServiceUpgrade>> find(ServiceName service) {
    return of(List.of(service)).map(rows -> rows.stream().findFirst());
  }

  /** The upgrades of services. */
  public Future<List<ServiceUpgrade>> of(List<ServiceName> services) {
    return services.isEmpty()
        ? Future.succeededFuture(List.of())
        : store.read(
            new Statement(
                SELECT + " where service in " + Statement.marks(services.size()),
                services.stream().<@Nullable Object>map(ServiceName::value).toList(),
                null),
            UpgradeTable::upgrade);
  }

  /** The statement that stores a new upgrade in place of the one before. */
  public static Statement put(ServiceUpgrade upgrade) {
    return Statement.of(
        "insert into upgrades (service, project, generation, before_want, before_revision, rollout,"
            + " is_open, revision) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (service) do update"
            + " set project = excluded.project, generation = excluded.generation,"
            + " before_want = excluded.before_want, before_revision = excluded.before_revision,"
            + " rollout = excluded.rollout, is_open = excluded.is_open,"
            + " revision = excluded.revision",
        upgrade.service().value(),
        upgrade.project().value(),
        upgrade.generation(),
        Json.write(upgrade.before()),
        upgrade.beforeRevision(),
        Json.write(upgrade.rollout()),
        upgrade.open() ? 1 : 0,
        upgrade.revision());
  }

  /** The statement that stores the next state; it fails when another change came first. */
  public static Statement update(ServiceUpgrade upgrade) {
    return Statement.of(
            "update upgrades set rollout = ?, is_open = ?, revision = ?"
                + " where service = ? and generation = ? and revision = ?",
            Json.write(upgrade.rollout()),
            upgrade.open() ? 1 : 0,
            upgrade.revision(),
            upgrade.service().value(),
            upgrade.generation(),
            upgrade.revision() - 1)
        .expecting(1);
  }

  /** The statement that notes that nothing is left to be done about an upgrade. */
  public static Statement close(ServiceUpgrade upgrade) {
    return Statement.of(
            "update upgrades set is_open = 0 where service = ? and generation = ?"
                + " and revision = ?",
            upgrade.service().value(),
            upgrade.generation(),
            upgrade.revision())
        .expecting(1);
  }

  public static Statement drop(ServiceName service) {
    return Statement.of("delete from upgrades where service = ?", service.value());
  }

  private static ServiceUpgrade upgrade(Row row) {
    return new ServiceUpgrade(
        new ServiceName(row.text("service")),
        new ProjectName(row.text("project")),
        row.integer("generation"),
        Json.read(row.text("before_want"), Want.class),
        row.integer("before_revision"),
        Json.read(row.text("rollout"), Rollout.class),
        row.integer("is_open") != 0,
        row.integer("revision"));
  }
}
