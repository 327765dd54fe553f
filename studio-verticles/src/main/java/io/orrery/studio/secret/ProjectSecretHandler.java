package io.orrery.studio.secret;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Secrets.ProjectSecret;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
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
      new Migrations(
          "secrets", ProjectSecretHandler.class, List.of("0001-secrets.sql", "0002-revisions.sql"));

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
            "select name, changed_by, changed_at, revision from project_secrets where project = ?"
                + " order by name",
            project.value()),
        row ->
            new ProjectSecret(
                row.text("name"),
                row.text("changed_by"),
                row.instant("changed_at"),
                row.integer("revision")));
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
          long before = revision(all, wanted.name());
          RevisionCheck.require("Secret " + wanted.name(), wanted.ifRevision(), before);
          if (before == RevisionCheck.NONE && all.size() >= Secrets.MOST_SECRETS) {
            throw new Problem.Conflict(
                    "Project %s has %d secrets: delete one first."
                        .formatted(wanted.project(), Secrets.MOST_SECRETS))
                .toException();
          }
          return bus.request(Secrets.SEAL, new Secrets.SealValue(wanted.value()))
              .compose(sealed -> store(wanted, sealed.sealed(), before));
        });
  }

  /** The revision of a secret; {@link RevisionCheck#NONE} where there is no such one. */
  private static long revision(List<ProjectSecret> all, String name) {
    return all.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .map(ProjectSecret::revision)
        .orElse(RevisionCheck.NONE);
  }

  private Future<ProjectSecret> store(Secrets.PutSecret wanted, String sealed, long before) {
    Instant now = changes.now();
    Statement statement =
        before == RevisionCheck.NONE
            ? Statement.of(
                "insert into project_secrets"
                    + " (project, name, sealed, changed_by, changed_at, revision)"
                    + " values (?, ?, ?, ?, ?, 1) on conflict (project, name) do nothing",
                wanted.project().value(),
                wanted.name(),
                sealed,
                wanted.by().name(),
                now.toEpochMilli())
            : Statement.of(
                "update project_secrets set sealed = ?, changed_by = ?, changed_at = ?,"
                    + " revision = revision + 1 where project = ? and name = ? and revision = ?",
                sealed,
                wanted.by().name(),
                now.toEpochMilli(),
                wanted.project().value(),
                wanted.name(),
                before);
    return changes
        .commitObject(
            wanted.by(),
            new What(
                before == RevisionCheck.NONE ? "create" : "rotate",
                "secret",
                wanted.name(),
                wanted.project(),
                ""),
            List.of(statement.expecting(1)))
        .recover(failure -> Future.failedFuture(raced(failure, wanted.name())))
        .map(new ProjectSecret(wanted.name(), wanted.by().name(), now, before + 1));
  }

  /** The words for a change that came between the look and the commit. */
  private static Throwable raced(Throwable failure, String name) {
    return Problem.of(failure) instanceof Problem.Conflict
        ? new Problem.Conflict(
                "Secret %s has been changed by another request at the same moment.".formatted(name))
            .toException()
        : failure;
  }

  private Future<Done> delete(Secrets.DeleteSecret wanted) {
    return deletable(wanted)
        .compose(known ->
            changes
                .commitObject(
                    wanted.by(),
                    new What("delete", "secret", wanted.name(), wanted.project(), ""),
                    List.of(statement(wanted)))
                .recover(failure ->
                    Problem.of(failure) instanceof Problem.Conflict
                        ? deletable(wanted)
                            .compose(allowed -> Future.failedFuture(raced(failure, wanted.name())))
                        : Future.failedFuture(failure)))
        .map(new Done());
  }

  /** Fails when there is no such secret, or another revision of it. */
  private Future<Void> deletable(Secrets.DeleteSecret wanted) {
    return list(wanted.project())
        .map(all -> {
          long before = revision(all, wanted.name());
          if (before == RevisionCheck.NONE) {
            throw missing(wanted.project(), wanted.name()).toException();
          }
          RevisionCheck.require("Secret " + wanted.name(), wanted.ifRevision(), before);
          return null;
        });
  }

  private static Statement statement(Secrets.DeleteSecret wanted) {
    String any = "delete from project_secrets where project = ? and name = ?";
    Long before = wanted.ifRevision();
    return (before == null
            ? Statement.of(any, wanted.project().value(), wanted.name())
            : Statement.of(
                any + " and revision = ?", wanted.project().value(), wanted.name(), before))
        .expecting(1);
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
