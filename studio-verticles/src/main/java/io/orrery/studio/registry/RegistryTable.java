package io.orrery.studio.registry;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Registries.RegistryAccount;
import io.orrery.core.project.SecretReference;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of accounts of registries. */
final class RegistryTable {
  private static final String SELECT =
      "select name, project, owner, server, login, password, created_at, changed_at, revision"
          + " from registries";

  private final Store store;

  RegistryTable(Store store) {
    this.store = store;
  }

  /**
   * A stored account.
   *
   * @param password sealed, or a reference to a secret
   */
  record RegistryRow(
      String name,
      ProjectName project,
      String owner,
      String server,
      String user,
      String password,
      Instant createdAt,
      Instant changedAt,
      long revision) {
    /** The account as others see it. */
    RegistryAccount account() {
      return new RegistryAccount(
          name,
          project,
          owner,
          server,
          user,
          SecretReference.name(password).orElse(null),
          createdAt,
          changedAt,
          revision);
    }

    /** The row that replaces this one. */
    RegistryRow with(String newServer, String newUser, String newPassword, Instant at) {
      return new RegistryRow(
          name, project, owner, newServer, newUser, newPassword, createdAt, at, revision + 1);
    }

    /** The same without the password. */
    @Override
    public String toString() {
      return "RegistryRow[" + name + "]";
    }
  }

  /**
   * The accounts of projects, by name.
   *
   * @param among null for all projects
   */
  Future<List<RegistryRow>> among(@Nullable List<ProjectName> among) {
    return ProjectRows.read(store, SELECT, among, "name", RegistryTable::row);
  }

  Future<Optional<RegistryRow>> find(String name) {
    return store
        .read(Statement.of(SELECT + " where name = ?", name), RegistryTable::row)
        .map(rows -> rows.stream().findFirst());
  }

  /** The statement that stores a row; it fails when another change came first. */
  static Statement put(RegistryRow row) {
    return row.revision() == 1
        ? Statement.of(
                "insert into registries (name, project, owner, server, login, password,"
                    + " created_at, changed_at, revision) values (?, ?, ?, ?, ?, ?, ?, ?, 1)"
                    + " on conflict (name) do nothing",
                row.name(),
                row.project().value(),
                row.owner(),
                row.server(),
                row.user(),
                row.password(),
                row.createdAt().toEpochMilli(),
                row.changedAt().toEpochMilli())
            .expecting(1)
        : Statement.of(
                "update registries set server = ?, login = ?, password = ?, changed_at = ?,"
                    + " revision = ? where name = ? and revision = ?",
                row.server(),
                row.user(),
                row.password(),
                row.changedAt().toEpochMilli(),
                row.revision(),
                row.name(),
                row.revision() - 1)
            .expecting(1);
  }

  static Statement drop(RegistryRow row) {
    return Statement.of(
            "delete from registries where name = ? and revision = ?", row.name(), row.revision())
        .expecting(1);
  }

  private static RegistryRow row(Row row) {
    return new RegistryRow(
        row.text("name"),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("server"),
        row.text("login"),
        row.text("password"),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }
}
