package io.orrery.studio.deployment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.service.ServiceName;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.rollout.RolloutPolicy;
import io.orrery.studio.scale.ScalePolicy;
import io.vertx.core.Future;
import java.util.List;

/** The rows of deployments. */
public final class DeploymentTable {
  /** Also of domains, scalings and upgrades, which belong to deployments. */
  public static final Migrations MIGRATIONS =
      new Migrations(
          "deployments",
          DeploymentTable.class,
          List.of("0001-deployments.sql", "0002-upgrades.sql"));

  private static final String COLUMNS =
      "service, project, owner, host, generation, deployed_at, rollout, scaling";

  private final Store store;

  public DeploymentTable(Store store) {
    this.store = store;
  }

  /** Those that have a host or a scaling, by name. */
  public Future<List<Deployment>> steered() {
    return store.read(
        Statement.of(
            "select "
                + COLUMNS
                + " from deployments where host is not null or scaling is not null"
                + " order by service"),
        DeploymentTable::deployment);
  }

  /** Those with a host. */
  public Future<List<Deployment>> at(String host) {
    return store.read(
        Statement.of(
            "select " + COLUMNS + " from deployments where host = ? order by service", host),
        DeploymentTable::deployment);
  }

  /** The statement that stores a deployment in place of the one before. */
  public static Statement put(Deployment deployment) {
    return Statement.of(
        "insert into deployments ("
            + COLUMNS
            + ") values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (service) do update set"
            + " project = excluded.project, owner = excluded.owner, host = excluded.host,"
            + " generation = excluded.generation, deployed_at = excluded.deployed_at,"
            + " rollout = excluded.rollout, scaling = excluded.scaling",
        deployment.service().value(),
        deployment.project().value(),
        deployment.owner(),
        deployment.host(),
        deployment.generation(),
        deployment.deployedAt().toEpochMilli(),
        Json.write(deployment.rollout()),
        deployment.scaling() == null ? null : Json.write(deployment.scaling()));
  }

  public static Statement drop(ServiceName service) {
    return Statement.of("delete from deployments where service = ?", service.value());
  }

  private static Deployment deployment(Row row) {
    String scaling = row.textOrNull("scaling");
    return new Deployment(
        new ServiceName(row.text("service")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.textOrNull("host"),
        row.integer("generation"),
        row.instant("deployed_at"),
        Json.read(row.text("rollout"), RolloutPolicy.class),
        scaling == null ? null : Json.read(scaling, ScalePolicy.class));
  }
}
