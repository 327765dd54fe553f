package io.orrery.studio.domain;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Domains.Domain;
import io.orrery.core.json.Json;
import io.orrery.core.service.ServiceName;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.rollout.DomainState;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of domains. */
public final class DomainTable {
  private static final String SELECT =
      "select host, project, owner, state, revision, changed_at from domains";

  private final Store store;

  public DomainTable(Store store) {
    this.store = store;
  }

  /**
   * A stored domain.
   *
   * @param owner of the service that was deployed with the host first
   * @param revision 0 for one that is not stored yet
   */
  public record DomainRow(
      String host,
      ProjectName project,
      String owner,
      DomainState state,
      long revision,
      Instant changedAt) {
    /** The row that replaces this one. */
    public DomainRow with(DomainState next, Instant at) {
      return new DomainRow(host, project, owner, next, revision + 1, at);
    }

    /** The domain as others see it. */
    public Domain domain() {
      return new Domain(
          host,
          project,
          owner,
          state.backends(),
          state.shadows(),
          state.members().keySet().stream().sorted().toList(),
          state.rollout().shown(),
          revision,
          changedAt);
    }
  }

  /** All domains, by host. */
  public Future<List<DomainRow>> all() {
    return store.read(Statement.of(SELECT + " order by host"), DomainTable::row);
  }

  public Future<Optional<DomainRow>> find(String host) {
    return store
        .read(Statement.of(SELECT + " where host = ?", host), DomainTable::row)
        .map(rows -> rows.stream().findFirst());
  }

  /** The domains that services are deployed at. */
  public Future<List<DomainRow>> of(List<ServiceName> services) {
    return services.isEmpty()
        ? Future.succeededFuture(List.of())
        : store.read(
            new Statement(
                SELECT
                    + " where host in (select host from deployments where service in ("
                    + String.join(", ", Collections.nCopies(services.size(), "?"))
                    + "))",
                services.stream().<@Nullable Object>map(ServiceName::value).toList(),
                null),
            DomainTable::row);
  }

  /** The statement that stores a row; it fails when another change came first. */
  public static Statement put(DomainRow row) {
    return row.revision() == 1
        ? Statement.of(
                "insert into domains (host, project, owner, state, revision, changed_at)"
                    + " values (?, ?, ?, ?, ?, ?) on conflict (host) do nothing",
                row.host(),
                row.project().value(),
                row.owner(),
                Json.write(row.state()),
                row.revision(),
                row.changedAt().toEpochMilli())
            .expecting(1)
        : Statement.of(
                "update domains set state = ?, revision = ?, changed_at = ?"
                    + " where host = ? and revision = ?",
                Json.write(row.state()),
                row.revision(),
                row.changedAt().toEpochMilli(),
                row.host(),
                row.revision() - 1)
            .expecting(1);
  }

  /** The statement that forgets a row; it fails when another change came first. */
  public static Statement drop(DomainRow row) {
    return Statement.of(
            "delete from domains where host = ? and revision = ?", row.host(), row.revision())
        .expecting(1);
  }

  private static DomainRow row(Row row) {
    return new DomainRow(
        row.text("host"),
        new ProjectName(row.text("project")),
        row.text("owner"),
        Json.read(row.text("state"), DomainState.class),
        row.integer("revision"),
        row.instant("changed_at"));
  }
}
