package io.orrery.studio.secret;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Secrets.ProjectSecret;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.SecretReference;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers questions about the secrets of projects. */
public final class ProjectSecretHandler {
  public static final Migrations MIGRATIONS =
      new Migrations("secrets", ProjectSecretHandler.class, List.of("0001-secrets.sql"));

  private final Bus bus;
  private final Store store;
  private final AuditedChanges changes;

  public ProjectSecretHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
  }

  /** Brings the tables up to date. */
  public static Future<Void> migrate(Store store) {
    return MIGRATIONS.apply(store);
  }

  /** The statement that forgets the secrets of a project that is deleted. */
  public static Statement forget(ProjectName project) {
    return Statement.of("delete from project_secrets where project = ?", project.value());
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        bus.serve(Secrets.PUT, this::put),
        bus.serve(Secrets.DELETE, this::delete),
        bus.serve(Secrets.LIST, asked -> list(asked.project()).map(Secrets.ProjectSecretList::new)),
        bus.serve(Secrets.FIND, this::find));
  }

  private Future<List<ProjectSecret>> list(ProjectName project) {
    return store.read(
        Statement.of(
            "select name, changed_by, changed_at from project_secrets where project = ?"
                + " order by name",
            project.value()),
        row ->
            new ProjectSecret(row.text("name"), row.text("changed_by"), row.instant("changed_at")));
  }

  private Future<ProjectSecret> put(Secrets.PutSecret wanted) {
    if (!SecretReference.isName(wanted.name())) {
      throw new Problem.Refused(
              new Finding(
                  "/name",
                  "a secret is named with lower-case letters, digits, '-', '_' and '.', at most 63"))
          .toException();
    }
    if (wanted.value().isEmpty() || wanted.value().length() > Secrets.MOST_VALUE) {
      throw new Problem.Refused(
              new Finding(
                  "/value", "a value has 1 to %,d characters".formatted(Secrets.MOST_VALUE)))
          .toException();
    }
    return bus.request(Projects.GET, new Projects.GetProject(wanted.project()))
        .compose(known -> list(wanted.project()))
        .compose(all -> {
          boolean there = all.stream().anyMatch(each -> each.name().equals(wanted.name()));
          if (!there && all.size() >= Secrets.MOST_SECRETS) {
            throw new Problem.Conflict(
                    "Project %s has %d secrets: delete one first."
                        .formatted(wanted.project(), Secrets.MOST_SECRETS))
                .toException();
          }
          return bus.request(Secrets.SEAL, new Secrets.SealValue(wanted.value()))
              .compose(sealed -> store(wanted, sealed.sealed(), there ? "rotate" : "create"));
        });
  }

  private Future<ProjectSecret> store(Secrets.PutSecret wanted, String sealed, String action) {
    Instant now = changes.now();
    return changes
        .commitObject(
            wanted.by(),
            new What(action, "secret", wanted.name(), wanted.project(), ""),
            List.of(
                Statement.of(
                    "insert into project_secrets (project, name, sealed, changed_by, changed_at)"
                        + " values (?, ?, ?, ?, ?) on conflict (project, name) do update set"
                        + " sealed = excluded.sealed, changed_by = excluded.changed_by,"
                        + " changed_at = excluded.changed_at",
                    wanted.project().value(),
                    wanted.name(),
                    sealed,
                    wanted.by().name(),
                    now.toEpochMilli())))
        .map(new ProjectSecret(wanted.name(), wanted.by().name(), now));
  }

  private Future<Done> delete(Secrets.DeleteSecret wanted) {
    return list(wanted.project())
        .compose(all -> {
          if (all.stream().noneMatch(each -> each.name().equals(wanted.name()))) {
            throw missing(wanted.project(), wanted.name()).toException();
          }
          return changes.commitObject(
              wanted.by(),
              new What("delete", "secret", wanted.name(), wanted.project(), ""),
              List.of(
                  Statement.of(
                          "delete from project_secrets where project = ? and name = ?",
                          wanted.project().value(),
                          wanted.name())
                      .expecting(1)));
        })
        .map(new Done());
  }

  private static Problem.NotFound missing(ProjectName project, String name) {
    return new Problem.NotFound("Project %s has no secret %s.".formatted(project, name));
  }

  private Future<Secrets.FoundSecrets> find(Secrets.FindSecrets asked) {
    return store
        .read(
            Statement.of(
                "select name, sealed from project_secrets where project = ?",
                asked.project().value()),
            row -> Map.entry(row.text("name"), row.text("sealed")))
        .map(rows -> {
          Map<String, String> all = new HashMap<>();
          rows.forEach(row -> all.put(row.getKey(), row.getValue()));
          all.keySet().retainAll(asked.names());
          for (String name : asked.names()) {
            if (!all.containsKey(name)) {
              throw new Problem.Refused(
                      new Finding(
                          "/env",
                          "project %s has no secret %s: set it with orrery project secret"
                              .formatted(asked.project(), name)))
                  .toException();
            }
          }
          return new Secrets.FoundSecrets(all);
        });
  }
}
