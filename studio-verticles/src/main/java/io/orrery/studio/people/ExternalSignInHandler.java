package io.orrery.studio.people;

import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.ExternalId;
import io.orrery.core.bus.contract.People.ExternalSignIn;
import io.orrery.core.bus.contract.People.User;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.people.UserTable.Account;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Signs users in whom an OpenID provider or a proxy has authenticated, and creates their accounts.
 *
 * <p>A provider's user is known by the id there, which is lasting; names may be changed and given
 * to others. So the name decides at the first sign-in alone, and then it never opens an account
 * that has a password or another id. A proxy vouches for names, so each account is open to it.
 */
public final class ExternalSignInHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final UserTable users;
  private final ExternalIdTable ids;

  public ExternalSignInHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.changes = changes;
    this.users = new UserTable(store);
    this.ids = new ExternalIdTable(store);
  }

  /** Completes when the address is served. */
  public Future<?> serve() {
    return bus.serve(
        People.EXTERNAL_SIGN_IN,
        wanted ->
            // A second server may create the account at the same moment: then it is there.
            signIn(wanted)
                .recover(failure ->
                    Problem.of(failure) instanceof Problem.Forbidden
                        ? Future.failedFuture(failure)
                        : signIn(wanted)));
  }

  private Future<User> signIn(ExternalSignIn wanted) {
    ExternalId id = wanted.id();
    Future<Optional<UserName>> known =
        id == null ? Future.succeededFuture(Optional.of(wanted.name())) : ids.find(id);
    return known.compose(name ->
        users
            .find(name.orElse(wanted.name()))
            .compose(account ->
                account.isEmpty()
                    ? create(wanted)
                    : name.isPresent()
                        ? open(wanted, account.get(), List.of())
                        : link(wanted, account.get())));
  }

  private Future<User> create(ExternalSignIn wanted) {
    Instant now = changes.now();
    UserName name = wanted.name();
    ExternalId id = wanted.id();
    List<Statement> statements = new ArrayList<>();
    statements.add(
        UserTable.insert(name, wanted.displayName(), wanted.mail(), role(wanted), true, null, now));
    if (id != null) {
      statements.add(ExternalIdTable.insert(id, name));
    }
    return changes
        .commit(
            new Actor(name.value(), wanted.from()),
            new What("create", "user", name.value(), null, source(wanted)),
            statements)
        .compose(created -> users.get(name))
        .compose(account -> open(wanted, account, List.of()));
  }

  private static UserRole role(ExternalSignIn wanted) {
    return Boolean.TRUE.equals(wanted.admin()) ? UserRole.ADMIN : UserRole.USER;
  }

  private static String source(ExternalSignIn wanted) {
    ExternalId id = wanted.id();
    return id == null ? "by the trusted proxy" : "by the provider " + id.issuer();
  }

  /** Opens an account that an administrator has made for a user, before its first use. */
  private Future<User> link(ExternalSignIn wanted, Account account) {
    ExternalId id = wanted.id();
    UserName name = account.user().name();
    return ids.has(name)
        .compose(taken -> {
          if (id == null || taken || account.password() != null) {
            throw new Problem.Forbidden(
                    "The name %s belongs to another account: ask an administrator.".formatted(name))
                .toException();
          }
          return open(
              wanted,
              account,
              List.of(ExternalIdTable.insert(id, name), UserTable.deleteCodes(name)));
        });
  }

  private Future<User> open(ExternalSignIn wanted, Account account, List<Statement> first) {
    User before = account.user();
    if (!before.active()) {
      throw new Problem.Forbidden("The account %s is disabled.".formatted(before.name()))
          .toException();
    }
    Instant now = changes.now();
    User after = updated(before, wanted, now);
    List<Statement> statements = new ArrayList<>(first);
    String detail = source(wanted);
    if (after.role() != before.role()) {
      statements.add(UserTable.update(after, before.revision()));
      detail += ", role %s to %s".formatted(before.role().word(), after.role().word());
    }
    statements.addAll(
        SecretTable.openSession(
            wanted.session(), before.name(), now, now.plus(SignInHandler.SESSION_LIFE)));
    return changes
        .commit(
            new Actor(before.name().value(), wanted.from()),
            new What("sign-in", "session", before.name().value(), null, detail),
            statements)
        .map(after);
  }

  /** The groups at the provider decide who is an administrator; viewers stay what they are. */
  private static User updated(User before, ExternalSignIn wanted, Instant now) {
    Boolean admin = wanted.admin();
    UserRole role =
        admin == null || admin == (before.role() == UserRole.ADMIN)
            ? before.role()
            : admin ? UserRole.ADMIN : UserRole.USER;
    return role == before.role()
        ? before
        : new User(
            before.name(),
            before.displayName(),
            before.mail(),
            role,
            before.active(),
            before.passwordSet(),
            before.createdAt(),
            now,
            before.revision() + 1);
  }
}
