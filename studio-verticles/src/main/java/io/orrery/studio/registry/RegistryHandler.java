package io.orrery.studio.registry;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.PutRegistry;
import io.orrery.core.bus.contract.Registries.PutRegistryDone;
import io.orrery.core.bus.contract.Registries.RegistryLogin;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.image.RegistryServer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.project.SecretReference;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.registry.RegistryTable.RegistryRow;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers questions about accounts of registries. */
public final class RegistryHandler {
  public static final Migrations MIGRATIONS =
      new Migrations("registries", RegistryHandler.class, List.of("0001-registries.sql"));
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final int MOST_USER = 200;

  private final Bus bus;
  private final AuditedChanges changes;
  private final RegistryTable table;

  public RegistryHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.changes = changes;
    this.table = new RegistryTable(store);
  }

  /** Brings the tables of accounts and of images up to date. */
  public static Future<Void> migrate(Store store) {
    return MIGRATIONS.apply(store);
  }

  /** The statements that forget what belongs to a project that is deleted. */
  public static List<Statement> forget(ProjectName project) {
    return List.of(
        Statement.of("delete from registries where project = ?", project.value()),
        Statement.of("delete from images where project = ?", project.value()));
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Registries.LIST, this::list),
            bus.serve(Registries.GET, asked -> get(asked.name()).map(RegistryRow::account)),
            bus.serve(Registries.PUT, this::put),
            bus.serve(Registries.DELETE, this::delete),
            bus.serve(Registries.FIND, this::logins)));
  }

  private Future<Registries.RegistryList> list(Registries.ListRegistries asked) {
    return table
        .among(asked.among())
        .map(rows ->
            new Registries.RegistryList(
                rows.stream()
                    .filter(row -> asked.owner() == null || asked.owner().equals(row.owner()))
                    .filter(row ->
                        asked.q() == null
                            || row.name().contains(asked.q())
                            || row.server().contains(asked.q()))
                    .map(RegistryRow::account)
                    .toList()));
  }

  private Future<RegistryRow> get(String name) {
    return table
        .find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no registry '" + name + "'.").toException()));
  }

  private Future<PutRegistryDone> put(PutRegistry wanted) {
    String server = checked(wanted);
    return table
        .find(wanted.name())
        .compose(found -> {
          RegistryRow before = found.orElse(null);
          if ((before == null) != wanted.creates()) {
            throw new Problem.Conflict(
                    before == null
                        ? "Registry %s has been deleted meanwhile.".formatted(wanted.name())
                        : "The name %s is taken: choose another.".formatted(wanted.name()))
                .toException();
          }
          if (before != null) {
            RevisionCheck.require(
                "Registry " + before.name(), wanted.ifRevision(), before.revision());
          }
          return password(wanted, server, before)
              .compose(password ->
                  before == null
                      ? create(wanted, server, password)
                      : change(wanted, before, server, password));
        });
  }

  /** The server as it is stored; refuses with all that is wrong. */
  private static String checked(PutRegistry wanted) {
    List<Finding> findings = new ArrayList<>();
    if (!NAME.matcher(wanted.name()).matches()) {
      findings.add(
          new Finding(
              "/name", "a registry is named with 1 to 63 lower-case letters, digits and '-'"));
    }
    String server = RegistryServer.parse(wanted.server()).map(Object::toString).orElse("");
    if (server.isEmpty()) {
      findings.add(new Finding("/server", "the server is " + RegistryServer.RULE));
    }
    String user = wanted.user();
    if (user.isBlank() || user.length() > MOST_USER || user.indexOf(':') >= 0) {
      findings.add(
          new Finding("/user", "a user has 1 to %d characters and no ':'".formatted(MOST_USER)));
    }
    String password = wanted.password();
    if (password != null && (password.isEmpty() || password.length() > Registries.MOST_PASSWORD)) {
      findings.add(
          new Finding(
              "/password",
              "a password has 1 to %,d characters".formatted(Registries.MOST_PASSWORD)));
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return server;
  }

  /**
   * The password as it is stored. One that is known stays with the server and the user that it was
   * given for, so that no user has it sent to a server of their own.
   */
  private Future<String> password(PutRegistry wanted, String server, @Nullable RegistryRow before) {
    String given = wanted.password();
    if (given != null) {
      return SecretReference.name(given).isPresent()
          ? Future.succeededFuture(given)
          : bus.request(Secrets.SEAL, new Secrets.SealValue(given))
              .map(Secrets.SealedValue::sealed);
    }
    if (before == null) {
      throw new Problem.Refused(
              new Finding("/password", "the password is missing: itself, or secret:NAME"))
          .toException();
    }
    if (!before.server().equals(server) || !before.user().equals(wanted.user())) {
      throw new Problem.Refused(
              new Finding(
                  "/password", "another server or user needs the password to be given again"))
          .toException();
    }
    return Future.succeededFuture(before.password());
  }

  private Future<PutRegistryDone> create(PutRegistry wanted, String server, String password) {
    Instant now = now();
    RegistryRow row =
        new RegistryRow(
            wanted.name(),
            wanted.project(),
            wanted.by().name(),
            server,
            wanted.user(),
            password,
            now,
            now,
            1);
    return table
        .among(List.of(wanted.project()))
        .compose(all -> {
          if (all.size() >= Registries.MOST_ACCOUNTS) {
            throw new Problem.Conflict(
                    "Project %s has %d registries: delete one first."
                        .formatted(wanted.project(), Registries.MOST_ACCOUNTS))
                .toException();
          }
          return commit(wanted, row, "create", Outcome.CREATED);
        });
  }

  private Future<PutRegistryDone> change(
      PutRegistry wanted, RegistryRow before, String server, String password) {
    RegistryRow row = before.with(server, wanted.user(), password, now());
    boolean same =
        before.server().equals(server)
            && before.user().equals(wanted.user())
            && before.password().equals(password);
    return same
        ? Future.succeededFuture(new PutRegistryDone(before.account(), Outcome.UNCHANGED))
        : commit(wanted, row, "change", Outcome.CHANGED);
  }

  private Future<PutRegistryDone> commit(
      PutRegistry wanted, RegistryRow row, String action, Outcome outcome) {
    PutRegistryDone done = new PutRegistryDone(row.account(), outcome);
    return wanted.dryRun()
        ? Future.succeededFuture(done)
        : changes
            .commitObject(
                wanted.by(),
                new What(
                    action,
                    "registry",
                    row.name(),
                    row.project(),
                    row.server() + " as " + row.user()),
                List.of(RegistryTable.put(row)))
            .map(done);
  }

  /** As it is stored. */
  private Instant now() {
    return changes.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private Future<Done> delete(Registries.DeleteRegistry wanted) {
    return get(wanted.name())
        .compose(row ->
            changes.commitObject(
                wanted.by(),
                new What("delete", "registry", row.name(), row.project(), ""),
                List.of(RegistryTable.drop(row))))
        .map(new Done());
  }

  private Future<Registries.FoundRegistryLogins> logins(Registries.FindRegistryLogins asked) {
    return table
        .among(List.of(asked.project()))
        .map(rows -> {
          List<RegistryLogin> logins =
              rows.stream()
                  .filter(row -> asked.name() == null || asked.name().equals(row.name()))
                  .map(row ->
                      new RegistryLogin(row.name(), row.server(), row.user(), row.password()))
                  .toList();
          if (logins.isEmpty() && asked.name() != null) {
            throw new Problem.NotFound(
                    "There is no registry '" + Objects.toString(asked.name()) + "'.")
                .toException();
          }
          return new Registries.FoundRegistryLogins(logins);
        });
  }
}
