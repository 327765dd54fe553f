package io.orrery.studio.people;

import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.ChangeUser;
import io.orrery.core.bus.contract.People.CreateToken;
import io.orrery.core.bus.contract.People.CreateUser;
import io.orrery.core.bus.contract.People.CreatedUser;
import io.orrery.core.bus.contract.People.DeleteToken;
import io.orrery.core.bus.contract.People.DeleteUser;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.People.Identity;
import io.orrery.core.bus.contract.People.Token;
import io.orrery.core.bus.contract.People.User;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.people.UserTable.Account;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Answers questions about accounts and personal tokens; {@link SignInHandler} those of sign-in. */
public final class PeopleHandler {
  /** Ends what a user could enter without a look at the account, in the transaction of its end. */
  @FunctionalInterface
  public interface Departure {
    List<Statement> of(UserName user);
  }

  /** How long a set-up link is good. */
  static final Duration SET_UP_LIFE = Duration.ofDays(7);

  private static final int MOST_TOKENS = 100;

  private final Bus bus;
  private final AuditedChanges changes;
  private final UserTable users;
  private final SecretTable secrets;
  private final Departure departure;

  /**
   * @param departure of a user who is disabled, deleted or may only look from now on
   */
  public PeopleHandler(Bus bus, Store store, AuditedChanges changes, Departure departure) {
    this.bus = bus;
    this.changes = changes;
    this.users = new UserTable(store);
    this.secrets = new SecretTable(store);
    this.departure = departure;
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(People.IDENTIFY, asked -> identify(asked.digest())),
            bus.serve(People.REVISION, asked -> changes.revision()),
            bus.serve(People.LIST, users::page),
            bus.serve(People.GET, asked -> users.get(asked.name()).map(Account::user)),
            bus.serve(People.CREATE, this::create),
            bus.serve(People.CHANGE, this::change),
            bus.serve(People.DELETE, this::delete),
            bus.serve(People.TOKENS, asked -> secrets.tokens(asked.user()).map(People.Tokens::new)),
            bus.serve(People.CREATE_TOKEN, this::createToken),
            bus.serve(People.DELETE_TOKEN, this::deleteToken)));
  }

  /** Reads the revision first: a change that comes in between makes the answer stale, not wrong. */
  private Future<Identity> identify(String digest) {
    return changes
        .revision()
        .compose(revision ->
            secrets
                .find(digest, changes.now())
                .compose(found ->
                    found.isEmpty()
                        ? service(digest, revision.number())
                        : secrets
                            .caller(found.get())
                            .map(caller ->
                                new Identity(
                                    caller, found.get().endsAt(), revision.number(), null))));
  }

  /** The session of a service account, whose role the server that asks has in its configuration. */
  private Future<Identity> service(String digest, long revision) {
    return secrets
        .tokenSession(digest, changes.now())
        .map(found ->
            found
                .map(session -> new Identity(null, session.endsAt(), revision, session.token()))
                .orElseGet(() -> new Identity(null, null, revision, null)));
  }

  private Future<CreatedUser> create(CreateUser wanted) {
    Instant now = changes.now();
    Instant until = now.plus(SET_UP_LIFE);
    return users
        .find(wanted.name())
        .compose(found ->
            found.isPresent()
                ? Future.failedFuture(
                    new Problem.Conflict("There is a user " + wanted.name() + " already.")
                        .toException())
                : changes.commit(
                    wanted.by(),
                    new What("create", "user", wanted.name().value()),
                    UserTable.insert(wanted, now),
                    UserTable.insertCode(wanted.code(), wanted.name(), until)))
        .compose(created -> users.get(wanted.name()))
        .map(account -> new CreatedUser(account.user(), until));
  }

  private Future<User> change(ChangeUser wanted) {
    return users
        .get(wanted.name())
        .compose(account -> {
          User before = account.user();
          RevisionCheck.require("User " + before.name(), wanted.ifRevision(), before.revision());
          User after =
              new User(
                  before.name(),
                  Objects.requireNonNullElse(wanted.displayName(), before.displayName()),
                  Objects.requireNonNullElse(wanted.mail(), before.mail()),
                  Objects.requireNonNullElse(wanted.role(), before.role()),
                  Objects.requireNonNullElse(wanted.active(), before.active()),
                  before.passwordSet(),
                  before.createdAt(),
                  changes.now(),
                  before.revision() + 1);
          return keepAnAdmin(before, isActiveAdmin(after))
              .compose(
                  kept -> changes.commit(wanted.by(), what(before, after), store(before, after)))
              .map(after);
        });
  }

  /** Whether the programs that belong to a user, or are shared with one, may be used. */
  private static boolean mayEnter(User user) {
    return user.active() && user.role() != UserRole.VIEWER;
  }

  private static boolean isActiveAdmin(User user) {
    return user.active() && user.role() == UserRole.ADMIN;
  }

  /** Explains in words what the statement of the same name makes sure of. */
  private Future<Void> keepAnAdmin(User before, boolean stays) {
    if (!isActiveAdmin(before) || stays) {
      return Future.succeededFuture();
    }
    return users
        .otherAdmins(before.name())
        .compose(others ->
            others > 0
                ? Future.succeededFuture()
                : Future.failedFuture(
                    new Problem.Conflict(
                            before.name()
                                + " is the only active administrator: make another one first.")
                        .toException()));
  }

  private List<Statement> store(User before, User after) {
    List<Statement> statements = new ArrayList<>();
    statements.add(UserTable.update(after, before.revision()));
    if (isActiveAdmin(before) && !isActiveAdmin(after)) {
      statements.add(UserTable.keepsAnAdmin());
    }
    if (!after.active()) {
      statements.add(SecretTable.endSessions(after.name(), null));
    }
    if (mayEnter(before) && !mayEnter(after)) {
      statements.addAll(departure.of(after.name()));
    }
    return statements;
  }

  private static What what(User before, User after) {
    String action =
        before.active() == after.active() ? "change" : after.active() ? "enable" : "disable";
    List<String> parts = new ArrayList<>();
    if (before.role() != after.role()) {
      parts.add("role " + before.role().word() + " to " + after.role().word());
    }
    if (!before.displayName().equals(after.displayName())) {
      parts.add("display name");
    }
    if (!before.mail().equals(after.mail())) {
      parts.add("mail");
    }
    return new What(action, "user", after.name().value(), null, String.join(", ", parts));
  }

  private Future<Done> delete(DeleteUser wanted) {
    UserName name = wanted.name();
    return users
        .get(name)
        .compose(account ->
            keepAnAdmin(account.user(), false)
                .compose(kept -> {
                  List<Statement> statements = new ArrayList<>();
                  statements.add(UserTable.delete(name));
                  statements.add(UserTable.deleteCodes(name));
                  statements.add(SecretTable.endSessions(name, null));
                  statements.add(SecretTable.deleteTokens(name));
                  statements.add(ExternalIdTable.delete(name));
                  statements.addAll(departure.of(name));
                  statements.add(
                      Statement.of(
                          "delete from project_members where user_name = ?", name.value()));
                  statements.add(
                      Statement.of("delete from join_requests where user_name = ?", name.value()));
                  if (isActiveAdmin(account.user())) {
                    statements.add(UserTable.keepsAnAdmin());
                  }
                  return changes.commit(
                      wanted.by(), new What("delete", "user", name.value()), statements);
                }))
        .map(new Done());
  }

  // ---- tokens --------------------------------------------------------------------------------

  private Future<Token> createToken(CreateToken wanted) {
    Instant now = changes.now();
    return users
        .get(wanted.user())
        .compose(known -> secrets.tokens(wanted.user()))
        .compose(tokens -> {
          if (tokens.stream().anyMatch(token -> token.name().equals(wanted.name()))) {
            throw new Problem.Conflict(
                    "You have a token '" + wanted.name() + "' already: revoke it first.")
                .toException();
          }
          if (tokens.size() >= MOST_TOKENS) {
            throw new Problem.Conflict(
                    "You have " + MOST_TOKENS + " tokens, which is the most: revoke one first.")
                .toException();
          }
          return changes.commit(
              wanted.by(),
              new What("create", "token", wanted.user() + "/" + wanted.name()),
              SecretTable.insertToken(wanted, now));
        })
        .map(new Token(wanted.name(), wanted.scope(), wanted.projects(), now, wanted.expiresAt()));
  }

  private Future<Done> deleteToken(DeleteToken wanted) {
    return secrets
        .tokens(wanted.user())
        .compose(tokens -> {
          if (tokens.stream().noneMatch(token -> token.name().equals(wanted.name()))) {
            throw new Problem.NotFound("There is no token '" + wanted.name() + "'.").toException();
          }
          return changes.commit(
              wanted.by(),
              new What("delete", "token", wanted.user() + "/" + wanted.name()),
              SecretTable.deleteToken(wanted.user(), wanted.name()));
        })
        .map(new Done());
  }
}
